using System.Globalization;

namespace Mux;

/// <summary>
/// A limit that was set to a number, or switched off by its name, or not set: then <see cref="MuxOptions.Profile"/> says what it is. A number converts to it.
/// </summary>
public readonly record struct MuxLimit
{
    private readonly long _value;

    private MuxLimit(long value, bool isSet) => (_value, IsSet) = (value, isSet);

    /// <summary>No limit. It has to be written out: no number means it.</summary>
    public static MuxLimit Unbounded { get; } = new(long.MaxValue, isSet: true);

    /// <summary>Whether it was set, to a number or to <see cref="Unbounded"/>.</summary>
    public bool IsSet { get; }

    /// <summary>Whether it is <see cref="Unbounded"/>.</summary>
    public bool IsUnbounded => IsSet && _value == long.MaxValue;

    /// <summary>The number; <see cref="long.MaxValue"/> of <see cref="Unbounded"/>, and 0 of one that was not set.</summary>
    public long Value => _value;

    /// <summary>A limit of a number; what numbers are allowed the options say.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is <see cref="long.MaxValue"/>: write <see cref="Unbounded"/>.</exception>
    public static implicit operator MuxLimit(long value) => FromInt64(value);

    /// <inheritdoc cref="op_Implicit"/>
    public static MuxLimit FromInt64(long value)
    {
        ArgumentOutOfRangeException.ThrowIfEqual(value, long.MaxValue);
        return new MuxLimit(value, isSet: true);
    }

    /// <summary>Reads a whole number or the word Unbounded.</summary>
    public static bool TryParse(string? text, out MuxLimit limit)
    {
        limit = Unbounded;
        if (string.Equals(text, nameof(Unbounded), StringComparison.OrdinalIgnoreCase)) return true;
        limit = default;
        if (!long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out long value) || value == long.MaxValue) return false;
        limit = value;
        return true;
    }

    /// <inheritdoc/>
    public override string ToString() => !IsSet ? "not set" : IsUnbounded ? nameof(Unbounded) : _value.ToString(CultureInfo.InvariantCulture);

    /// <summary>The number, or that of the profile.</summary>
    internal long Or(long ofProfile) => IsSet ? _value : ofProfile;
}
