using System.Collections.Frozen;
using System.Text;

namespace Mux.Push;

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
