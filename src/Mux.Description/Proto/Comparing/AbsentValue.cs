using System.Globalization;

namespace Mux.Description.Proto.Comparing;

/// <summary>What a field means to programs if it is absent.</summary>
/// <param name="owner">The field.</param>
/// <param name="areExact">
/// True if both sides say what C# sets initially: without that, a field is zero if it has no default.
/// </param>
internal readonly struct AbsentValue(ProtoField owner, bool areExact)
{
    private const string Zero = "zero";
    private const string Nothing = "nothing";

    // As files write it; null for zero, and for nothing.
    private readonly string? _text = owner.Default ?? (areExact ? owner.Absent : null);

    private bool IsNothing => _text is null && areExact && owner.HasPresence && !IsFirstConstant;

    // In files of proto2 the number of the first constant need not be zero.
    private bool IsFirstConstant => _text is null && owner.Enum is { IsClosed: true };

    private ProtoEnumValue? Constant
    {
        get
        {
            if (owner.Enum is not { } known) return null;
            foreach (var value in known.Values)
            {
                if (_text is null || value.Name == _text) return value;
            }

            return null;
        }
    }

    private bool IsReal => owner.Kind is FieldKind.Float or FieldKind.Double;

    private bool IsZeroText => string.IsNullOrEmpty(_text);

    /// <summary>True if two fields mean the same.</summary>
    public bool IsSame(AbsentValue other)
    {
        if (_text is null && other._text is null) return HaveOneFirst(other);
        if (_text is not null && _text == other._text) return true;
        if (IsNothing || other.IsNothing) return false;
        if (IsReal || other.IsReal)
            return Real() is { } real && other.Real() is { } otherReal && real.Equals(otherReal);
        if (Number() is { } number) return other.Number() == number;
        return IsZeroText && other.IsZeroText;
    }

    public override string ToString()
    {
        if (IsNothing) return $"{Nothing} when it is absent";
        return $"{_text ?? Constant?.Name ?? Zero} when it is absent";
    }

    // Presence has a rule of its own.
    private bool HaveOneFirst(AbsentValue other) =>
        Constant is not { } was || other.Constant is not { } now || was.Number == now.Number || was.Name == now.Name;

    // The texts of one number differ: those of .NET Framework are longer, and 1E+20 is 1e20.
    private double? Real()
    {
        double? value = _text switch
        {
            null => 0,
            "inf" => double.PositiveInfinity,
            "-inf" => double.NegativeInfinity,
            "nan" or "-nan" => double.NaN,
            _ => double.TryParse(_text, NumberStyles.Float, CultureInfo.InvariantCulture, out double read)
                ? read : null,
        };
        return owner.Kind == FieldKind.Float && value is { } single ? (float)single : value;
    }

    // Of a bool, too. An enum may have a number that no constant has.
    private decimal? Number() => owner.Kind switch
    {
        FieldKind.String or FieldKind.Bytes or FieldKind.Float or FieldKind.Double => null,
        FieldKind.Message or FieldKind.Group => null,
        FieldKind.Enum when Constant is { } constant => constant.Number,
        _ when _text is null or "false" => 0,
        _ when _text == "true" => 1,
        _ => decimal.TryParse(_text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out decimal read)
            ? read : null,
    };
}
