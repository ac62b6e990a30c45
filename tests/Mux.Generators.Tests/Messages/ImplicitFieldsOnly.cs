using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>All fields, those behind properties first: their names begin with an angle bracket.</summary>
[ProtoContract(ImplicitFields = ImplicitFields.AllFields, ImplicitFirstTag = 3)]
public sealed class ImplicitFieldsOnly
{
    private int _alpha;

    [NonSerialized]
    private int _left;

    public int Zeta { get; set; }

    public int Sum => _alpha + _left;

    public void Set(int alpha, int left) => (_alpha, _left) = (alpha, left);
}
