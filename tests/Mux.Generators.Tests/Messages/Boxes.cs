using System.Collections.Concurrent;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Collections that each take much more memory than the item in them.</summary>
[ProtoContract]
internal sealed class Boxes
{
    [ProtoMember(1)]
    public List<int>? List { get; set; }

    [ProtoMember(2)]
    public ConcurrentDictionary<int, int>? Shared { get; set; }

    [ProtoMember(3)]
    public HashSet<int>? Set { get; set; }

    [ProtoMember(4)]
    public ConcurrentQueue<int>? Queue { get; set; }
}
