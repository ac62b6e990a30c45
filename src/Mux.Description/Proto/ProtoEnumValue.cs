namespace Mux.Description.Proto;

/// <summary>A value of an enum.</summary>
internal sealed class ProtoEnumValue : ProtoElement
{
    public int Number { get; set; }
}
