using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Mux.Transports.Streams;

/// <summary>Whose process is at the other end of a Unix domain socket.</summary>
internal static partial class PeerUser
{
    // From asm-generic/socket.h: struct ucred is pid, uid, gid, 32 bits each.
    private const int SocketLevel = 1;
    private const int PeerCredentials = 17;
    private const int CredentialsLength = 12;
    private const int UserOffset = 4;

    /// <summary>Whether it is this process's user. A socket file in a folder that all may write to can be anybody's.</summary>
    /// <exception cref="SocketException">The connection is gone.</exception>
    [SupportedOSPlatform("linux")]
    public static bool IsOwn(Socket socket)
    {
        Span<byte> credentials = stackalloc byte[CredentialsLength];
        socket.GetRawSocketOption(SocketLevel, PeerCredentials, credentials);
        return MemoryMarshal.Read<uint>(credentials[UserOffset..]) == GetEffectiveUser();
    }

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint GetEffectiveUser();
}
