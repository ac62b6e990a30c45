using Mux.Generators.Contracts.Emitting;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the statements that read one value after its tag, for any container.</summary>
internal sealed class ValueReadEmitter(SourceWriter writer)
{
    private const int IntPtrSize = 8;

    /// <summary>Emits the statements that read a value. They may declare variables, so the caller must open a block.</summary>
    /// <param name="value">Value to read.</param>
    /// <param name="tag">The tag: a constant if the label leaves one possibility, so that the compiler can fold the rest; otherwise the variable.</param>
    /// <param name="place">Place to read into.</param>
    /// <param name="store">Creates the statement that stores the value from its C# expression.</param>
    public void Emit(ValueModel value, string tag, ReadPlace place, Func<string, string> store)
    {
        if (Expression(value, tag, place) is { } expression)
        {
            writer.Line(store(expression));
            return;
        }

        switch (value)
        {
            case NestedModel nested:
                writer.Line($"var child = reader.Enter(tag, {nested.Codec}.Schema{SizeOf(nested, place)});");
                writer.Line(store($"{nested.Codec}.Read(ref child, {place.Existing})"));
                writer.Line("reader.Leave(in child);");
                break;
            case EnvelopeModel envelope:
                new EnvelopeEmitter(writer).EmitRead(envelope, place, store);
                break;
            case ConvertedModel converted:
                Emit(converted.Surrogate, tag, ReadPlace.New, surrogate => store(Converted(converted, surrogate, place)));
                break;
            default:
                throw new InvalidOperationException($"Nothing reads a {value.GetType().Name}.");
        }
    }

    /// <summary>Gets the C# expression that reads a value; null if it takes statements.</summary>
    /// <inheritdoc cref="Emit"/>
    public static string? Expression(ValueModel value, string tag, ReadPlace place) => value switch
    {
        ScalarModel scalar => Number(scalar, tag),
        TextModel => $"reader.Read{(value.FollowsProtobuf ? "Text" : "String")}({tag})",
        ConvertedModel converted when Expression(converted.Surrogate, tag, ReadPlace.New) is { } surrogate => Converted(converted, surrogate, place),
        UriModel => $"reader.ReadUri({tag})!",
        FrameworkModel framework => $"reader.Read{framework.Reads}({tag})",
        BytesModel => $"reader.ReadBytes({tag}{(place.Parts is { } parts ? $", {place.Existing}, ref {parts}" : string.Empty)})",
        _ => null,
    };

    /// <summary>Gets the C# expression that reads a number.</summary>
    public static string Number(ScalarModel scalar, string tag)
    {
        var cast = scalar.EnumUnderlying is null ? string.Empty : $"({scalar.TypeName})";
        bool isCut = scalar is { FollowsProtobuf: true, FixedSize: 0 }
            && scalar.Scalar is ScalarType.Boolean or ScalarType.Int32 or ScalarType.UInt32;
        var cut = isCut ? "Cut" : string.Empty;
        var zigZag = scalar.Format == ScalarFormat.ZigZag ? "ZigZag" : string.Empty;
        return $"{cast}reader.Read{cut}{zigZag}{scalar.Scalar}({tag})";
    }

    /// <summary>Memory of a value in bytes: an object and its place in a list; a struct takes only its place.</summary>
    public static int SizeOf(bool isStruct, int size, ReadPlace place) => isStruct ? (place.IsSlot ? size : 0) : size + (place.IsSlot ? IntPtrSize : 0);

    private static string SizeOf(NestedModel nested, ReadPlace place)
    {
        int size = SizeOf(nested.IsStruct, nested.Size, place);
        return size == 0 ? string.Empty : $", {size}";
    }

    private static string Converted(ConvertedModel value, string surrogate, ReadPlace place)
    {
        var converted = SurrogateEmitter.FromSurrogate(value, surrogate);
        int size = SizeOf(value.IsStruct, value.Size, place);
        return size == 0 ? converted : $"reader.PayForMemory({converted}, {size})";
    }
}
