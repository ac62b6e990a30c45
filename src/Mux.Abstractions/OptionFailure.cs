namespace Mux;

/// <summary>One option that cannot be used.</summary>
/// <param name="Option">The name of the option.</param>
/// <param name="Text">What is wrong with its value, and what is allowed.</param>
public sealed record OptionFailure(string Option, string Text)
{
    /// <summary>A value outside its range.</summary>
    public static OptionFailure OutOfRange(string option, object value, string allowed) =>
        new(option, string.Create(System.Globalization.CultureInfo.InvariantCulture, $"'{value}' is not allowed: {allowed}."));

    /// <inheritdoc/>
    public override string ToString() => $"{Option}: {Text}";
}
