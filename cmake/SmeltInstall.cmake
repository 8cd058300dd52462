# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
include(GNUInstallDirs)

install(TARGETS smelt ${SMELT_PROGRAMS})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/smelt" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
	FILES_MATCHING PATTERN "*.h")

configure_file("${PROJECT_SOURCE_DIR}/cmake/smelt.pc.in" "${PROJECT_BINARY_DIR}/smelt.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/smelt.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

file(GLOB manuals CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(manuals)
	install(FILES ${manuals} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
