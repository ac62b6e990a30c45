using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Public members, numbered by name around one that has a number.</summary>
[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)]
[DataContract]
public class Implicit
{
    [DataMember(Order = 7)]
    public int Zeta { get; set; }

    [ProtoMember(9)]
    public int Pinned { get; set; }

    public string? Alpha { get; set; }

    public int Middle { get; private set; }

    [ProtoIgnore]
    public int Ignored { get; set; }

    public Action? Code { get; set; }

    public UnknownFields? Unknown { get; set; }

    internal int Unseen { get; set; }

    public Implicit WithMiddle(int value)
    {
        Middle = value;
        return this;
    }
}
