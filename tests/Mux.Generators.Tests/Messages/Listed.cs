using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A message that is a list in C# and not on the wire.</summary>
[ProtoContract(IgnoreListHandling = true)]
public sealed class Listed : List<int>
{
    [ProtoMember(1)]
    public int Id { get; set; }
}
