using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Numbered by attributes of the class, but for a member that has its own.</summary>
[ProtoContract]
[ProtoPartialMember(1, nameof(A), DataFormat = DataFormat.ZigZag)]
[ProtoPartialMember(9, nameof(A))]
[ProtoPartialMember(3, nameof(B), IsRequired = true)]
[ProtoPartialMember(4, nameof(C), IsPacked = true)]
[ProtoPartialMember(5, nameof(_e), IsRequired = true)]
[ProtoPartialIgnore(nameof(D))]
public class PartlyNumbered
{
    private int _e;

    public int A { get; set; }

    [ProtoMember(7)]
    public int B { get; set; }

    public List<int>? C { get; set; }

    [ProtoMember(8)]
    public int D { get; set; }

    public PartlyNumbered With(int e)
    {
        _e = e;
        return this;
    }
}
