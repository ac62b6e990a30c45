using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Numbers in the order of the numbers given, then of the names; that of [ProtoMember] stays.</summary>
[DataContract]
[ProtoContract(InferTagFromName = true)]
public sealed class Inferred
{
    [DataMember]
    public int B { get; set; }

    [DataMember]
    public int A { get; set; }

    [DataMember(Order = 3)]
    public int C { get; set; }

    [ProtoMember(9)]
    public int D { get; set; }

#pragma warning disable MUX0053 // that it is not sent is what a test says
    public int E { get; set; }
#pragma warning restore MUX0053

    [DataMember(Name = "0")]
    public int F { get; set; }
}
