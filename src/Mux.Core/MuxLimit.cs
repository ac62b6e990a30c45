using System.Globalization;

namespace Mux;

/// <summary>
/// A limit: a number, <see cref="Unbounded"/>, or not set. A limit that is not set has the value of the <see cref="MuxOptions.Profile"/>. Numbers convert
/// implicitly.
/// </summary>
public readonly record struct MuxLimit
{
    private readonly long _value;

    private MuxLimit(long value, bool isSet) => (_value, IsSet) = (value, isSet);

    /// <summary>Gets the value that means "no limit". No number has this meaning. In configuration, write <c>Unbounded</c>.</summary>
    public static MuxLimit Unbounded { get; } = new(long.MaxValue, isSet: true);

    /// <summary>Gets a value indicating whether the limit was set, to a number or to <see cref="Unbounded"/>.</summary>
    public bool IsSet { get; }

    /// <summary>Gets a value indicating whether the limit is <see cref="Unbounded"/>.</summary>
    public bool IsUnbounded => IsSet && _value == long.MaxValue;

    /// <summary>Gets the number; <see cref="long.MaxValue"/> if the limit is <see cref="Unbounded"/>, 0 if it was not set.</summary>
    public long Value => _value;

    /// <summary>Converts a number to a limit. The range depends on the option.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is <see cref="long.MaxValue"/>: use <see cref="Unbounded"/>.</exception>
    public static implicit operator MuxLimit(long value) => FromInt64(value);

    /// <inheritdoc cref="op_Implicit"/>
    public static MuxLimit FromInt64(long value)
    {
        ArgumentOutOfRangeException.ThrowIfEqual(value, long.MaxValue);
        return new MuxLimit(value, isSet: true);
    }

    /// <summary>Parses a whole number, or the word Unbounded; case is ignored.</summary>
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

    /// <summary>The number if it was set, else that of the profile.</summary>
    internal long Or(long ofProfile) => IsSet ? _value : ofProfile;
}
