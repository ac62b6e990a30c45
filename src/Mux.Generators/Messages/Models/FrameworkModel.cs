using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>A Guid, a decimal, a date, a time or a span.</summary>
/// <param name="TypeName">C# type of the value.</param>
/// <param name="Form">Encoding.</param>
/// <param name="Wire">Wire type.</param>
internal sealed record FrameworkModel(string TypeName, FrameworkForm Form, WireType Wire) : ValueModel(TypeName)
{
    public override WireType WireType => Wire;

    public override string Kind => $"{Form} {(int)Wire}";

    public override bool CanBeNull => false;

    public override bool DependsOnLevel => Form is not (FrameworkForm.DateOnly or FrameworkForm.TimeOnly);

    public override int MaxSize => Wire switch
    {
        WireType.Fixed64 => 8,
        WireType.StartGroup => ContentSize + 5,
        WireType.Bytes => ContentSize + 1,
        _ => ContentSize,
    };

    /// <summary>C# expression of the value that is omitted; null if every value is written.</summary>
    public string? Zero => Form switch
    {
        FrameworkForm.BclDateTime or FrameworkForm.Timestamp or FrameworkForm.DateOnly or FrameworkForm.TimeOnly => null,
        _ => "default",
    };

    public override string? ZeroInEntry => Form is FrameworkForm.DateOnly or FrameworkForm.TimeOnly ? "default" : null;

    /// <summary>True if the cursor supports the form: groups and ticks of eight bytes are rare, and days and times may be out of range.</summary>
    public bool IsFast => Wire == WireType.Bytes;

    /// <summary>Name of the method that reads it; the length distinguishes bytes from text of a Guid.</summary>
    public string Reads => Form == FrameworkForm.GuidBytes ? nameof(FrameworkForm.GuidText) : Form.ToString();

    // Maximum sizes of the runtime's methods.
    private int ContentSize => Form switch
    {
        FrameworkForm.BclGuid => 18,
        FrameworkForm.BclDecimal => 19,
        FrameworkForm.BclDateTime or FrameworkForm.BclTimeSpan => 13,
        FrameworkForm.Timestamp => 17,
        FrameworkForm.Duration => 22,
        FrameworkForm.GuidText => 36,
        FrameworkForm.GuidBytes => 16,
        FrameworkForm.DecimalText => 31,
        FrameworkForm.DateOnly => 4,
        _ => 6,
    };
}
