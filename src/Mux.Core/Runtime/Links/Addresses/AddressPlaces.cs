using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.Claims;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// Limits connections that have not finished their handshake, in total and by address. When no place is free, the oldest connection of the address that holds
/// most places loses its place, so that silent peers keep no others out. Safe for concurrent use.
/// </summary>
/// <remarks>
/// A newcomer takes the place of another connection only if that address keeps at least as many places as the newcomer's address then has, or if the other
/// connection is older than <see cref="Grace"/>. Otherwise more handshakes at once than there are places would push each other out, and none would be finished.
/// </remarks>
/// <param name="limit">Places in total.</param>
/// <param name="perAddress">Places of one address; peers without an address are not counted.</param>
/// <typeparam name="T">What holds a place.</typeparam>
internal sealed class AddressPlaces<T>(long limit, long perAddress)
    where T : class
{
    /// <summary>Time that a handshake has whatever comes, in microseconds: a second, which is many round trips.</summary>
    public const long Grace = 1_000_000;

    private readonly Lock _gate = new(); // guards what follows, and the places
    private readonly Dictionary<string, Address> _addresses = new(StringComparer.Ordinal);
    private readonly List<LinkedList<Address>> _byCount = []; // addresses by the number of their places
    private int _most; // places of the address that holds most
    private int _count;

    public long Limit => limit;

    public long PerAddress => perAddress;

    /// <summary>Number of places that are taken.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _count;
        }
    }

    /// <summary>Takes a place. <see cref="Leave"/> returns it.</summary>
    /// <param name="host">Address of the peer; empty if it has none.</param>
    /// <param name="holder">Holds the place.</param>
    /// <param name="now">The current time, microseconds.</param>
    /// <param name="reached">The limit that was reached, if one was.</param>
    /// <param name="displaced">The holder that lost its place to this one, and must be ended; null if none did.</param>
    /// <returns>Null if there is no place.</returns>
    public Place? TryEnter(string host, T holder, long now, out PlaceLimit? reached, out T? displaced)
    {
        (reached, displaced) = (null, null);
        lock (_gate)
        {
            int held = _addresses.TryGetValue(host, out var own) ? own.Places.Count : 0;
            if (host.Length > 0 && held >= perAddress) reached = PlaceLimit.OfAddress;
            else if (_count >= limit) reached = PlaceLimit.Total;
            if (reached is not null)
            {
                var crowded = reached == PlaceLimit.OfAddress ? own! : _byCount[_most].First!.Value;
                var oldest = crowded.Places.First!.Value;
                if (crowded.Places.Count <= held + 1 && now - oldest.Since < Grace) return null;
                displaced = oldest.Holder;
                RemoveLocked(oldest);
            }

            return AddLocked(host, holder, now);
        }
    }

    /// <summary>Returns a place when the handshake is over, successful or not.</summary>
    /// <returns>False if the place is no longer held: another connection has taken it.</returns>
    public bool Leave(Place place)
    {
        lock (_gate)
        {
            if (place.Node.List is null) return false;
            RemoveLocked(place);
            return true;
        }
    }

    private Place AddLocked(string host, T holder, long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (!_addresses.TryGetValue(host, out var address)) _addresses.Add(host, address = new Address(host));
        var place = new Place(holder, address, now);
        address.Places.AddLast(place.Node);
        _count++;
        MoveLocked(address);
        return place;
    }

    private void RemoveLocked(Place place)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        place.Address.Places.Remove(place.Node);
        _count--;
        MoveLocked(place.Address);
        if (place.Address.Places.Count == 0) _addresses.Remove(place.Address.Host);
    }

    /// <summary>Moves an address, the number of whose places has changed by one, to the list of its number.</summary>
    private void MoveLocked(Address address)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        address.Node.List?.Remove(address.Node);
        int count = address.Places.Count;
        while (_byCount.Count <= count) _byCount.Add(new());
        if (count > 0) _byCount[count].AddLast(address.Node); // of addresses with as many, the first has had them for longest
        _most = Math.Max(_most, count);
        while (_most > 0 && _byCount[_most].Count == 0) _most--;
    }

    /// <summary>A place that a connection holds.</summary>
    internal sealed class Place
    {
        public Place(T holder, Address address, long since)
        {
            (Holder, Address, Since) = (holder, address, since);
            Node = new(this);
        }

        public T Holder { get; }

        public Address Address { get; }

        /// <summary>Time at which it was taken.</summary>
        public long Since { get; }

        /// <summary>In the list of its address, from the oldest place to the newest.</summary>
        public LinkedListNode<Place> Node { get; }
    }

    /// <summary>An address with places.</summary>
    internal sealed class Address
    {
        public Address(string host)
        {
            Host = host;
            Node = new(this);
        }

        public string Host { get; }

        public LinkedList<Place> Places { get; } = [];

        /// <summary>In the list of addresses with as many places.</summary>
        public LinkedListNode<Address> Node { get; }
    }
}

/// <summary>Names a peer in messages and logs.</summary>
internal static class PeerName
{
    /// <summary>
    /// Gets the address of the peer. Peers at Unix domain sockets and pipes have none: they are on this machine, and are named by the user that the system
    /// reports. Called while the link is open, because a closed one knows no user.
    /// </summary>
    public static string Of(Link link)
    {
        if (link.RemoteAddress is { Length: > 0 } address) return address;
        return link.Identity?.User.Identity?.Name is { Length: > 0 } user ? $"this machine ({user})" : "this machine";
    }
}

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

/// <summary>A limit of places that was reached.</summary>
internal enum PlaceLimit
{
    /// <summary>That of all addresses.</summary>
    Total,

    /// <summary>That of the peer's address.</summary>
    OfAddress,
}

/// <summary>Derives the host of a peer from its address, to count connections per host.</summary>
internal static class PeerHost
{
    private const string InMemory = "memory:"; // as links in memory name their peers
    private const int NetworkLength = 8; // of an IPv6 address: a host can use every address of its /64 network

    /// <summary>
    /// Gets the part of an address that a peer cannot choose per connection: without the port, and the first 64 bits of an IPv6 address. Empty if there is
    /// none, as with pipes.
    /// </summary>
    public static string Of(string remoteAddress)
    {
        if (!IPEndPoint.TryParse(remoteAddress, out var endPoint)) return remoteAddress[..Math.Max(0, remoteAddress.LastIndexOf(':'))];
        var address = endPoint.Address.IsIPv4MappedToIPv6 ? endPoint.Address.MapToIPv4() : endPoint.Address;
        var bytes = address.GetAddressBytes();
        return bytes.Length > NetworkLength ? Convert.ToHexString(bytes, 0, NetworkLength) : address.ToString();
    }

    /// <summary>True if the peer is on this machine. Its address then identifies no host: it is a proxy, or one of many processes.</summary>
    public static bool IsLocal(string remoteAddress) => !IPEndPoint.TryParse(remoteAddress, out var endPoint) || IPAddress.IsLoopback(endPoint.Address);

    /// <summary>
    /// True if the peer is certainly on this machine: at loopback, in the memory of this process, or at a Unix domain socket or pipe, which name no address.
    /// Where <see cref="IsLocal"/> believes in a name, this does not: the code that accepted a connection may write anything.
    /// </summary>
    public static bool IsOfThisMachine(string remoteAddress)
    {
        if (remoteAddress.Length == 0 || remoteAddress.StartsWith(InMemory, StringComparison.Ordinal)) return true;
        return IPEndPoint.TryParse(remoteAddress, out var endPoint) && IPAddress.IsLoopback(endPoint.Address);
    }
}
