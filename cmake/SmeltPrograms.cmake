# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Programs: each folder of tools/ but cli/ is one, named like the folder. They see
# include/ and tools/cli only. examples/*.c are programs that see include/ only.

file(GLOB cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/cli/*.c")
if(cli_sources)
	smelt_include_tree(cli cli_tree "tools/cli")
	add_library(smelt_cli STATIC ${cli_sources})
	target_include_directories(smelt_cli PUBLIC "${cli_tree}")
	target_compile_definitions(smelt_cli PRIVATE SMELT_VERSION="${PROJECT_VERSION}")
	target_link_libraries(smelt_cli PUBLIC smelt)
endif()

set(SMELT_PROGRAMS)
file(GLOB program_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/*/*.c")
foreach(source IN LISTS program_sources)
	get_filename_component(folder "${source}" DIRECTORY)
	get_filename_component(program "${folder}" NAME)
	if(program STREQUAL "cli")
		continue()
	endif()
	if(NOT TARGET ${program})
		add_executable(${program})
		target_compile_definitions(${program} PRIVATE SMELT_VERSION="${PROJECT_VERSION}")
		target_include_directories(${program} PRIVATE "${folder}")
		target_link_libraries(${program} PRIVATE smelt $<TARGET_NAME_IF_EXISTS:smelt_cli>)
		set_target_properties(${program} PROPERTIES
			RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
		list(APPEND SMELT_PROGRAMS ${program})
	endif()
	target_sources(${program} PRIVATE "${source}")
endforeach()

file(GLOB example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
foreach(source IN LISTS example_sources)
	get_filename_component(name "${source}" NAME_WE)
	add_executable(example_${name} "${source}")
	target_link_libraries(example_${name} PRIVATE smelt)
	set_target_properties(example_${name} PROPERTIES
		OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
endforeach()
