using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A message for two serializers, of which protobuf takes one kind of numbers only.</summary>
[DataContract]
[ProtoContract(UseProtoMembersOnly = true)]
public sealed class ProtoMembersOnly
{
    [ProtoMember(1)]
    public int A { get; set; }

#pragma warning disable MUX0027 // which says what is tried here
    [DataMember(Order = 2)]
    public int B { get; set; }
#pragma warning restore MUX0027
}
