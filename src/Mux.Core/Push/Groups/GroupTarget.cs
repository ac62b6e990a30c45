using System.Collections.Frozen;
using System.Text;
using Mux.Protocol;
using Mux.Serialization;

namespace Mux.Push;

/// <summary>What a call goes to: the members of a group, or of several. Safe for concurrent use.</summary>
/// <param name="kind">What the groups share with others.</param>
internal abstract class GroupTarget(GroupKind kind)
{
    public GroupKind Kind => kind;

    /// <summary>The ids of the peers that alone get the call at other servers; null if the names say it all.</summary>
    protected virtual GroupExcept? Addressed => null;

    /// <summary>Makes an encoded call.</summary>
    /// <param name="method">The method.</param>
    /// <param name="buffer">The buffer of this thread that the request was encoded in.</param>
    /// <param name="body">The request.</param>
    /// <param name="options">Options of the call, or null.</param>
    /// <param name="except">Who does not get it; null if all members do.</param>
    /// <param name="report">Learns what becomes of it; null if its caller does not ask.</param>
    /// <returns>What the caller may wait for; null if the call is in the hands of all connections, or missed.</returns>
    public GroupSend? Call(GroupMethod method, MessageBuffer buffer, ReadOnlySpan<byte> body, MuxCallOptions? options, GroupExcept? except,
        GroupSend? report)
    {
        kind.Counters.OnCall();
        string[] names = kind.Relay is null ? [] : Names(); // before anything is sent: it may run user code, which may throw
        var message = names.Length == 0 ? null : GroupEnvelope.Create(kind.Origin, method.Called.Descriptor, options, Addressed ?? except, body);
        GroupSend? send = null;
        var members = MembersNow(out var label);
        if (label is not null)
        {
            var bulk = body.Length > ProtocolConstants.MaxWholeBody ? BulkMessage.Take(buffer, body) : null; // holds the body
            send = GroupDelivery.Run(kind, members, label, method, body, bulk, options, except, report);
            bulk?.LetGo();
        }

        foreach (var name in names)
        {
            if (!kind.Relay!.TrySend(name, message!)) report?.OnNotRelayed(); // which the relay counts
        }

        return send;
    }

    /// <summary>The names of the groups at all servers; of use only with a <see cref="GroupKind.Relay"/>.</summary>
    protected abstract string[] Names();

    /// <summary>Gets the members in this process, each once.</summary>
    /// <param name="label">Names the groups for people; null if none has members.</param>
    protected abstract GroupMember[] MembersNow(out GroupLabel? label);
}

/// <summary>Several groups of one kind, called at once.</summary>
internal sealed class GroupUnion<TKey>(GroupShelf<TKey> shelf, TKey[] keys) : GroupTarget(shelf.Kind)
    where TKey : notnull
{
    private readonly GroupLabel _label = new(shelf.Kind.Counters.Name, string.Join(", ", keys));
    private string[]? _names;

    protected override string[] Names() => _names ??= [.. keys.Select(shelf.NameOf)];

    protected override GroupMember[] MembersNow(out GroupLabel? label)
    {
        HashSet<GroupMember> members = [];
        foreach (var key in keys)
        {
            if (shelf.Find(key) is { } group) members.UnionWith(group.All);
        }

        label = members.Count > 0 ? _label : null;
        return [.. members];
    }
}

/// <summary>The peers that a call does not go to: one of this process, or those with some ids at any server. Does not change.</summary>
internal sealed class GroupExcept
{
    /// <summary>Ids that one call may have.</summary>
    public const int MostIds = 1_024;

    /// <summary>Bytes of one id; those of connections are some 20.</summary>
    private const int MostBytes = 255;

    private readonly MuxPeer? _peer;
    private readonly FrozenSet<string>? _ids;
    private readonly byte[] _encoded = [];

    public GroupExcept(MuxPeer peer) => _peer = peer;

    /// <exception cref="ArgumentException">There are too many ids, or one is too long.</exception>
    public GroupExcept(IEnumerable<string> ids)
    {
        _ids = ids.ToFrozenSet(StringComparer.Ordinal);
        if (_ids.Count > MostIds) throw new ArgumentException($"{_ids.Count} ids of peers; at most {MostIds} are allowed.", nameof(ids));
        using var encoded = new MemoryStream();
        foreach (var id in _ids)
        {
            byte[] text = Encoding.UTF8.GetBytes(id);
            if (text.Length > MostBytes) throw new ArgumentException($"An id of a peer has {text.Length} bytes; at most {MostBytes} are allowed.", nameof(ids));
            encoded.WriteByte((byte)text.Length);
            encoded.Write(text);
        }

        _encoded = encoded.ToArray();
    }

    /// <summary>The ids; empty for a peer of this process.</summary>
    public IReadOnlyCollection<string> Ids => _ids ?? FrozenSet<string>.Empty;

    /// <summary>The ids for other servers; empty for a peer of this process, of which no other server has to know.</summary>
    public byte[] Encoded => _encoded;

    /// <summary>Reads <see cref="Encoded"/>.</summary>
    /// <param name="encoded">The bytes.</param>
    /// <param name="except">Null if there are none.</param>
    /// <returns>False if the bytes are malformed.</returns>
    public static bool TryRead(ReadOnlySpan<byte> encoded, out GroupExcept? except)
    {
        except = null;
        var ids = new List<string>();
        while (!encoded.IsEmpty)
        {
            int length = encoded[0];
            if (length >= encoded.Length || ids.Count == MostIds) return false;
            var id = Encoding.UTF8.GetString(encoded.Slice(1, length));
            if (Encoding.UTF8.GetByteCount(id) != length) return false; // replaced bytes are longer than they came
            ids.Add(id);
            encoded = encoded[(1 + length)..];
        }

        if (ids.Count > 0) except = new GroupExcept(ids);
        return true;
    }

    public bool Spares(GroupMember member) => ReferenceEquals(member.Peer, _peer) || _ids?.Contains(member.Peer.Id) == true;
}
