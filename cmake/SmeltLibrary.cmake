# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The library: one object library per folder of src/, all of them in libsmelt.a.
#
# A folder sees the headers of another one only through a tree of links made for it,
# <build>/include/<folder>/, so an include that the layer table does not allow fails to
# compile. scripts/check_layers.py reads the same table from here.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

# folder: the folders it may include besides itself
set(SMELT_LAYER_base)
set(SMELT_LAYER_elf base)
set(SMELT_LAYER_dwarf base)
set(SMELT_LAYER_btf base)
set(SMELT_LAYER_model base)
set(SMELT_LAYER_load base elf dwarf btf model)
set(SMELT_LAYER_dedup base model)
set(SMELT_LAYER_layout base model)
set(SMELT_LAYER_encode base elf btf model dedup load)
set(SMELT_LAYER_program base elf model dedup load)
set(SMELT_LAYER_print base model layout)
set(SMELT_LAYER_api base elf dwarf btf model load dedup layout encode program print)
set(SMELT_FOLDERS base elf dwarf btf model load dedup layout encode program print api)

# Makes <build>/include/<name>/ with a link to each folder in ARGN (paths below the source tree).
function(smelt_include_tree name result)
	set(tree "${PROJECT_BINARY_DIR}/include/${name}")
	file(REMOVE_RECURSE "${tree}")
	file(MAKE_DIRECTORY "${tree}")
	foreach(folder IN LISTS ARGN)
		get_filename_component(leaf "${folder}" NAME)
		file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${tree}/${leaf}" SYMBOLIC)
	endforeach()
	set(${result} "${tree}" PARENT_SCOPE)
endfunction()

add_library(smelt STATIC)
target_include_directories(smelt PUBLIC
	"$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
target_link_libraries(smelt PUBLIC PkgConfig::ZLIB PkgConfig::ZSTD Threads::Threads)

foreach(folder IN LISTS SMELT_FOLDERS)
	file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.c")
	if(NOT sources)
		continue()
	endif()
	list(TRANSFORM SMELT_LAYER_${folder} PREPEND "src/" OUTPUT_VARIABLE visible)
	smelt_include_tree(${folder} tree "src/${folder}" ${visible})

	add_library(smelt_${folder} OBJECT ${sources})
	target_include_directories(smelt_${folder} PRIVATE "${tree}" "${PROJECT_SOURCE_DIR}/include")
	target_link_libraries(smelt_${folder} PRIVATE Threads::Threads)
	target_sources(smelt PRIVATE "$<TARGET_OBJECTS:smelt_${folder}>")
endforeach()

if(TARGET smelt_elf)
	target_link_libraries(smelt_elf PRIVATE PkgConfig::ZLIB PkgConfig::ZSTD)
endif()
