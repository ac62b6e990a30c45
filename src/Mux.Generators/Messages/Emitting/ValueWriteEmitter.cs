using Mux.Generators.Contracts.Emitting;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the statements that write one value after the tag of its field, for any container.</summary>
internal sealed class ValueWriteEmitter(SourceWriter writer)
{
    /// <param name="number">Number of the field, unique in the method.</param>
    /// <param name="value">Value to write.</param>
    /// <param name="expression">C# expression of the value, which is not null.</param>
    public void Emit(int number, ValueModel value, string expression)
    {
        uint tag = value.TagOf(number);
        switch (value)
        {
            case { MaxSize: > 0 }:
                writer.Line($"var item = writer.BeginFields({MemberModel.TagSizeOf(number) + value.MaxSize});");
                writer.Line(Bounded("item", tag, value, expression));
                writer.Line("writer.EndFields(item);");
                break;
            case TextModel:
                writer.Line($"writer.WriteString({tag}, {expression});");
                break;
            case BytesModel bytes:
                writer.Line($"writer.WriteBytes({tag}, {expression}{bytes.ToSpan});");
                break;
            case UriModel:
                writer.Line($"writer.WriteString({tag}, {expression}.OriginalString);");
                break;
            case NestedModel { IsGroup: true } nested:
                writer.Line($"writer.BeginGroup({tag}, \"{nested.DisplayName}\");");
                writer.Line($"{nested.Codec}.Write(ref writer, {expression});");
                writer.Line($"writer.EndGroup({tag + 1});");
                break;
            case NestedModel nested:
                writer.Line($"int mark{number} = writer.BeginMessage({tag}, \"{nested.DisplayName}\");");
                writer.Line($"{nested.Codec}.Write(ref writer, {expression});");
                writer.Line($"writer.EndMessage(mark{number});");
                break;
            case EnvelopeModel envelope:
                new EnvelopeEmitter(writer).EmitWrite(number, envelope, expression);
                break;
            case ConvertedModel converted:
                writer.Open();
                Emit(number, converted.Surrogate, SurrogateEmitter.ToSurrogate(converted, expression));
                writer.Close();
                break;
            default:
                throw new InvalidOperationException($"Nothing writes a {value.GetType().Name}.");
        }
    }

    /// <summary>Gets the call that writes a value of known maximum size to a run of fields.</summary>
    public static string Bounded(string run, uint tag, ValueModel value, string expression)
    {
        return value is FrameworkModel framework ? $"{run}.{framework.Form}({tag}, {expression});" : Number(run, tag, (ScalarModel)value, expression);
    }

    /// <summary>Gets the call that writes a number to a run of fields.</summary>
    public static string Number(string run, uint tag, ScalarModel value, string number, string condition = "")
    {
        var written = value.EnumUnderlying is { } underlying ? $"({underlying}){number}" : number;
        var method = value.Scalar == ScalarType.Boolean ? "Boolean" : FormOf(value);
        return $"{run}.{method}{condition}({tag}, {written});";
    }

    /// <summary>Gets the name of the form in which a number is written.</summary>
    public static string FormOf(ScalarModel value) => value switch
    {
        { FixedSize: not 0 } => "Fixed",
        { Format: ScalarFormat.ZigZag } => "ZigZag",
        _ => "Varint",
    };
}
