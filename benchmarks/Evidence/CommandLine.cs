using System.Globalization;

namespace Evidence;

/// <summary>Options of the form <c>--name value</c>.</summary>
internal sealed class CommandLine
{
    private readonly Dictionary<string, string> _values = [];

    /// <param name="arguments">After the command.</param>
    /// <param name="names">The options that the command has.</param>
    /// <exception cref="EvidenceException">It has no such option, or the value is missing.</exception>
    public CommandLine(ReadOnlySpan<string> arguments, params IReadOnlyCollection<string> names)
    {
        for (int i = 0; i < arguments.Length; i += 2)
        {
            if (!names.Contains(arguments[i])) throw new EvidenceException($"{arguments[i]}: expected {(names.Count == 0 ? "no options" : string.Join(", ", names))}.");
            if (i + 1 == arguments.Length) throw new EvidenceException($"{arguments[i]}: its value is missing.");
            _values[arguments[i]] = arguments[i + 1];
        }
    }

    public string Text(string name, string otherwise) => _values.GetValueOrDefault(name, otherwise);

    /// <exception cref="EvidenceException">It is none of those allowed.</exception>
    public string Choice(string name, string otherwise, IReadOnlyList<string> allowed) =>
        !_values.TryGetValue(name, out var text) ? otherwise
        : allowed.Contains(text) ? text
        : throw new EvidenceException($"{name} {text}: expected {string.Join(" or ", allowed)}.");

    /// <exception cref="EvidenceException">It is no whole number, or out of the range.</exception>
    public int Count(string name, int otherwise, int least, int most) =>
        !_values.TryGetValue(name, out var text) ? otherwise
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value >= least && value <= most ? value
        : throw new EvidenceException($"{name} {text}: expected a whole number from {least} to {most}.");

    /// <exception cref="EvidenceException">It is no number from 0.1 to 600.</exception>
    public double Seconds(string name, double otherwise) =>
        !_values.TryGetValue(name, out var text) ? otherwise
        : double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value) && value is >= 0.1 and <= 600 ? value
        : throw new EvidenceException($"{name} {text}: expected seconds, 0.1 to 600.");
}
