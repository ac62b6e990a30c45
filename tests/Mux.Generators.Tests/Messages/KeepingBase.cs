using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
[ProtoInclude(10, typeof(KeepingDerived))]
public class KeepingBase
{
    [ProtoMember(1)]
    public int Id { get; set; }

    public UnknownFields? OfBase { get; set; }
}
