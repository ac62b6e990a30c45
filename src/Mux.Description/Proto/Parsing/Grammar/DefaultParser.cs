using System.Globalization;
using Mux.Description.Proto.Parsing.Text;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads the values of absent fields, and writes them as descriptors do.</summary>
internal sealed class DefaultParser(TokenReader tokens)
{
    public bool Read(ParsedField field)
    {
        if (field.Model.Default is not null) tokens.Fault("The field has a default already.");
        tokens.Next();
        if (!tokens.Take("=")) return false;
        field.DefaultPosition = tokens.Position;
        if (!field.IsKindOpen && field.Message is null && field.Label == ParsedLabel.Repeated && field.Model.Kind == 0)
            return tokens.Fault("Maps have no default.");
        bool isRead = field.IsKindOpen ? ReadName(out var text) : ReadOf(field.Model.Kind, out text);
        field.Model.Default = text;
        return isRead;
    }

    // The name of a value, if the type is an enum. Whether it is one is known later.
    private bool ReadName(out string text)
    {
        text = tokens.Current.Text;
        tokens.Next();
        return true;
    }

    private bool ReadOf(FieldKind kind, out string text)
    {
        text = string.Empty;
        switch (kind)
        {
            case FieldKind.Int32 or FieldKind.SInt32 or FieldKind.SFixed32:
                return ReadSigned(int.MaxValue, out text);
            case FieldKind.Int64 or FieldKind.SInt64 or FieldKind.SFixed64:
                return ReadSigned(long.MaxValue, out text);
            case FieldKind.UInt32 or FieldKind.Fixed32:
                return ReadUnsigned(uint.MaxValue, out text);
            case FieldKind.UInt64 or FieldKind.Fixed64:
                return ReadUnsigned(ulong.MaxValue, out text);
            case FieldKind.Float or FieldKind.Double:
                return ReadFloat(kind == FieldKind.Float, out text);
            case FieldKind.Bool:
                text = tokens.Current.Text;
                return tokens.TryTake("true") || tokens.TryTake("false") || tokens.Fault("Expected 'true' or 'false'.");
            case FieldKind.String:
                return tokens.TakeText("the default", out text);
            case FieldKind.Bytes:
                bool isRead = tokens.TakeString("the default", out var bytes);
                text = ProtoLiterals.Escape(bytes);
                return isRead;
            default:
                return tokens.Fault("Messages have no default.");
        }
    }

    private bool ReadSigned(ulong max, out string text)
    {
        bool isNegative = tokens.TryTake("-");
        bool isRead = tokens.TakeInteger("an integer", isNegative ? max + 1 : max, out ulong value);
        text = (isNegative && value > 0 ? "-" : string.Empty) + value.ToString(CultureInfo.InvariantCulture);
        return isRead;
    }

    private bool ReadUnsigned(ulong max, out string text)
    {
        if (tokens.TryTake("-")) tokens.Fault("The default of an unsigned field cannot be negative.");
        bool isRead = tokens.TakeInteger("an integer", max, out ulong value);
        text = value.ToString(CultureInfo.InvariantCulture);
        return isRead;
    }

    private bool ReadFloat(bool isSingle, out string text)
    {
        bool isNegative = tokens.TryTake("-");
        bool isRead = tokens.TakeNumber(out double value);
        if (isNegative && !double.IsNaN(value)) value = -value;
        text = isSingle ? ProtoLiterals.Text((float)value) : ProtoLiterals.Text(value);
        return isRead;
    }
}
