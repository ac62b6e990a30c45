using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
[ProtoInclude(10, typeof(ExtensibleDerived))]
public class ExtensibleBase : Extensible
{
    [ProtoMember(1)]
    public int Id { get; set; }
}
