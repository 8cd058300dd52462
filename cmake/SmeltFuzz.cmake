# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Fuzz targets: each tests/fuzz/fuzz_<x>.c defines LLVMFuzzerTestOneInput. With
# SMELT_FUZZER they get libFuzzer's main, otherwise one that replays files, and ctest
# replays tests/fuzz/corpus/fuzz_<x>/ where that exists.

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_*.c")
file(GLOB fuzz_corpora CONFIGURE_DEPENDS LIST_DIRECTORIES true
	"${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/*")
foreach(source IN LISTS fuzz_sources)
	get_filename_component(target "${source}" NAME_WE)
	add_executable(${target} "${source}")
	target_include_directories(${target} PRIVATE
		"${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
	# The engine declares the entry point, no header does.
	target_compile_options(${target} PRIVATE -Wno-missing-prototypes)
	target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:test_support> smelt)
	set_target_properties(${target} PROPERTIES
		RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
	if(SMELT_FUZZER)
		target_link_options(${target} PRIVATE -fsanitize=fuzzer)
	else()
		target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.c")
		set(corpus "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${target}")
		if(corpus IN_LIST fuzz_corpora)
			add_test(NAME fuzz.${target} COMMAND ${target} "${corpus}")
			set_tests_properties(fuzz.${target} PROPERTIES
				LABELS fuzz TIMEOUT 300 ENVIRONMENT "${SMELT_TEST_ENVIRONMENT}")
		endif()
	endif()
endforeach()
