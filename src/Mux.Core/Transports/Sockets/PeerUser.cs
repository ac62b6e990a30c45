using System.Globalization;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.Claims;

namespace Mux.Transports.Sockets;

/// <summary>Whose process is at the other end of a Unix domain socket, as the operating system knew it when the socket was connected.</summary>
internal static partial class PeerUser
{
    /// <summary>What vouches for the identity.</summary>
    public const string AuthenticationType = "unix";

    // From asm-generic/socket.h: struct ucred is pid, uid, gid, 32 bits each.
    private const int SocketLevel = 1;
    private const int PeerCredentials = 17;

    /// <summary>Whether it is this process's user. A socket file in a folder that all may write to can be anybody's.</summary>
    /// <exception cref="SocketException">The connection is gone.</exception>
    [SupportedOSPlatform("linux")]
    public static bool IsOwn(Socket socket) => Read(socket).User == GetEffectiveUser();

    /// <summary>Who it is; null for another socket than a Unix domain socket, elsewhere than on Linux, and when the connection is gone.</summary>
    public static PeerIdentity? IdentityOf(Socket socket)
    {
        if (!OperatingSystem.IsLinux()) return null;
        try
        {
            return socket.AddressFamily == AddressFamily.Unix ? IdentityOf(Read(socket)) : null;
        }
        catch (SocketException)
        {
            return null;
        }
        catch (ObjectDisposedException)
        {
            return null;
        }
    }

    private static PeerIdentity IdentityOf(Credentials credentials)
    {
        var user = credentials.User.ToString(CultureInfo.InvariantCulture);
        Claim[] claims =
        [
            new(ClaimTypes.NameIdentifier, user),
            new(ClaimTypes.Name, $"uid {user}"),
            new("uid", user, ClaimValueTypes.UInteger32),
            new("gid", credentials.Group.ToString(CultureInfo.InvariantCulture), ClaimValueTypes.UInteger32),
            new("pid", credentials.Process.ToString(CultureInfo.InvariantCulture), ClaimValueTypes.Integer32),
        ];
        return new PeerIdentity(new ClaimsPrincipal(new ClaimsIdentity(claims, AuthenticationType)));
    }

    [SupportedOSPlatform("linux")]
    private static Credentials Read(Socket socket)
    {
        Credentials credentials = default;
        socket.GetRawSocketOption(SocketLevel, PeerCredentials, MemoryMarshal.AsBytes(new Span<Credentials>(ref credentials)));
        return credentials;
    }

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint GetEffectiveUser();

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Credentials
    {
        public readonly int Process;
        public readonly uint User;
        public readonly uint Group;
    }
}
