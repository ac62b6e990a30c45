using Mux.Calls;

namespace Mux.Push;

/// <summary>
/// The peers of one server that calls go to by the name of the user or by id, at all servers. Each connected user has a channel, and all ids of
/// this process have one, which <see cref="PeerInbox"/> subscribes to. Safe for concurrent use.
/// </summary>
internal sealed class ListedPeers
{
    private const int LongestName = 1024; // characters

    private readonly PeerSet _peers;
    private PeerEnvironment? _noted; // counts the calls

    public ListedPeers(GroupKind kind, PeerSet peers)
    {
        (Kind, _peers) = (kind, peers);
        if (kind.Relay is { } relay) peers.Tell(new PeerInbox(this, relay));
    }

    public GroupKind Kind { get; }

    /// <summary>Where calls come to peers of this process by their ids.</summary>
    public string OwnIds => ChannelOfIds(PeerEnvironment.Process);

    /// <summary>True if a user of this name can be called. Names come from credentials, and may be any text.</summary>
    public static bool IsUsable(string user) => user.Length is > 0 and <= LongestName;

    /// <summary>Where calls to a user come.</summary>
    public string ChannelOf(string user) => $"peers:{Kind.Counters.Name}:user:{user}";

    /// <summary>Where calls come to some ids that are not of this server, each process once.</summary>
    public string[] ChannelsOf(IEnumerable<string> ids) =>
        [.. ids.Where(id => _peers.Find(id) is null).Select(PeerEnvironment.ProcessOf).Distinct(StringComparer.Ordinal).Select(ChannelOfIds)];

    /// <summary>Gets the peers of users in this process.</summary>
    public GroupMember[] OfUsers(IEnumerable<string> users) => [.. users.SelectMany(_peers.OfUser).Select(Of)];

    /// <summary>Gets the peers in this process that have some ids.</summary>
    public GroupMember[] WithIds(IEnumerable<string> ids) => [.. ids.Select(_peers.Find).OfType<MuxPeer>().Select(Of)];

    private string ChannelOfIds(string process) => $"peers:{Kind.Counters.Name}:ids:{process}";

    private GroupMember Of(MuxPeer peer)
    {
        if (peer is ConnectionPeer { Environment: var environment } && !ReferenceEquals(environment, Volatile.Read(ref _noted)))
        {
            foreach (var method in Kind.Methods.All) environment.Note(method.Called.Descriptor);
            Volatile.Write(ref _noted, environment);
        }

        return GroupMember.Of(peer);
    }
}

/// <summary>All connections of some users.</summary>
/// <param name="peers">The peers.</param>
/// <param name="users">The names, each once.</param>
internal sealed class UserTarget(ListedPeers peers, string[] users) : GroupTarget(peers.Kind)
{
    public static GroupLabel LabelOf(GroupKind kind, params string[] users) => new(kind.Counters.Name, "user " + string.Join(", ", users));

    protected override string[] Names() => [.. users.Select(peers.ChannelOf)];

    protected override GroupMember[] MembersNow(out GroupLabel? label)
    {
        var members = peers.OfUsers(users);
        label = members.Length > 0 ? LabelOf(Kind, users) : null;
        return members;
    }
}

/// <summary>The peers with some ids.</summary>
/// <param name="peers">The peers.</param>
/// <param name="ids">The ids.</param>
internal sealed class IdTarget(ListedPeers peers, GroupExcept ids) : GroupTarget(peers.Kind)
{
    protected override GroupExcept? Addressed => ids;

    public static GroupLabel LabelOf(GroupKind kind) => new(kind.Counters.Name, "by id");

    protected override string[] Names() => peers.ChannelsOf(ids.Ids);

    protected override GroupMember[] MembersNow(out GroupLabel? label)
    {
        var members = peers.WithIds(ids.Ids);
        label = members.Length > 0 ? LabelOf(Kind) : null;
        return members;
    }
}
