using System.Globalization;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.Claims;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Reads the user of the process at the other end of a Unix domain socket, as the operating system recorded it at connect time.</summary>
internal static partial class PeerUser
{
    /// <summary>Authentication type of these identities.</summary>
    public const string AuthenticationType = "unix";

    // From asm-generic/socket.h: struct ucred is pid, uid, gid, 32 bits each.
    private const int SocketLevel = 1;
    private const int PeerCredentials = 17;

    /// <summary>True if the peer runs as the user of this process. In a folder that everyone may write to, any user can create a socket file.</summary>
    /// <exception cref="SocketException">The connection is closed.</exception>
    [SupportedOSPlatform("linux")]
    public static bool IsOwn(Socket socket) => Read(socket).User == GetEffectiveUser();

    /// <summary>Gets the peer's identity. Null if the socket is not a Unix domain socket, the system is not Linux, or the connection is closed.</summary>
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
