using Mux.Description.Proto.Descriptors;

namespace Mux.Generators.Describing;

/// <summary>A field before it is written, because the numbers of oneofs are known when all fields are.</summary>
/// <param name="Name">Name in protobuf.</param>
/// <param name="Number">The field number.</param>
/// <param name="Type">Type of the value.</param>
internal sealed record FieldBuilder(string Name, int Number, ProtoType Type)
{
    private const int Optional = 1;
    private const int Repeated = 3;

    public bool IsRepeated { get; init; }

    /// <summary>True if zero and nothing differ, for types and syntaxes where they would not.</summary>
    public bool IsOptional { get; init; }

    /// <summary>True for the part of a derived class: an object has at most one of them.</summary>
    public bool IsChoice { get; init; }

    /// <summary>How items are written, if their type allows two ways; null for the way of the syntax.</summary>
    public bool? IsPacked { get; init; }

    /// <summary>Value that is omitted, for proto2.</summary>
    public string? Default { get; init; }

    /// <summary>Number of bits of its integers, or of the values of a map; 0 if they have all those of their type.</summary>
    public int Bits { get; init; }

    /// <summary>The same of the keys of a map.</summary>
    public int KeyBits { get; init; }

    /// <summary>Value of the member before anything is read, where protobuf has no such default.</summary>
    public string? Absent { get; init; }

    /// <param name="oneof">Index of the oneof; null for none.</param>
    public WireWriter Describe(int? oneof)
    {
        var field = new WireWriter().Text(1, Name).Number(3, Number).Number(4, IsRepeated ? Repeated : Optional)
            .Number(5, Type.Number).Text(6, Type.Reference).Text(7, Default);
        var options = new WireWriter();
        if (IsPacked is { } packed) options.Number(2, packed ? 1 : 0);
        field.Options(8, OptionsDescriber.AddToField(options, Bits, KeyBits, Absent));
        if (oneof is { } index) field.Number(9, index);
        return field.Flag(17, IsOptional && oneof is not null);
    }
}
