# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Compiler flags for everything in the tree.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Release keeps -g: `make demo` encodes the program itself, and it costs no run time.
set(CMAKE_C_FLAGS_RELEASE "-O3 -g -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")

add_compile_definitions(_GNU_SOURCE)
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wvla
	-Wstrict-prototypes -Wmissing-prototypes)
if(SMELT_WERROR)
	add_compile_options(-Werror)
endif()

if(SMELT_SANITIZE)
	add_compile_options(-fsanitize=${SMELT_SANITIZE} -fno-sanitize-recover=all)
	add_link_options(-fsanitize=${SMELT_SANITIZE})
endif()
if(SMELT_FUZZER)
	add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(SMELT_LTO)
	include(CheckIPOSupported)
	check_ipo_supported(LANGUAGES C)
	set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
