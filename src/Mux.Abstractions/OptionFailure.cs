namespace Mux;

/// <summary>An invalid option: its name and the error in its value.</summary>
/// <param name="Option">The name of the option.</param>
/// <param name="Text">The error in its value, and the allowed values.</param>
public sealed record OptionFailure(string Option, string Text)
{
    /// <summary>Creates a failure for a value outside its range.</summary>
    public static OptionFailure OutOfRange(string option, object value, string allowed) =>
        new(option, string.Create(System.Globalization.CultureInfo.InvariantCulture, $"'{value}' is not allowed: expected {allowed}."));

    /// <inheritdoc/>
    public override string ToString() => $"{Option}: {Text}";
}
