using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>One option that a contract sets for a method or for all methods of a service: a property of the attributes and one of MethodChoices.</summary>
internal sealed record Choice
{
    private readonly Func<int, string> _expression;

    private Choice(string option, string property, int least, int most, string range, Func<int, string> expression)
    {
        Option = option;
        Property = property;
        Least = least;
        Most = most;
        Range = range;
        _expression = expression;
    }

    /// <summary>Gets the name of the attributes' property.</summary>
    public string Option { get; }

    /// <summary>Gets the smallest value that a contract may write.</summary>
    public int Least { get; }

    /// <summary>Gets the largest value that a contract may write.</summary>
    public int Most { get; }

    /// <summary>Gets the allowed values as a diagnostic names them.</summary>
    public string Range { get; }

    /// <summary>Gets a value indicating whether zero at a method means the service's value, as MuxDispatchMode.Default does.</summary>
    public bool ZeroInherits { get; init; }

    private string Property { get; }

    /// <summary>Creates the row of a flag.</summary>
    public static Choice Flag(string name) => new(name, name, 0, 1, string.Empty, static _ => "true");

    /// <summary>Creates the row of a number of at least 1; 0 means that a contract omits it.</summary>
    public static Choice Positive(string option, string property, Func<string, string> expression) =>
        new(option, property, 1, int.MaxValue, "allowed are 1 to 2147483647; omit it for the default", value => expression(Text(value)));

    /// <summary>Creates the row of an enumeration whose members have the values 0, 1, 2...</summary>
    public static Choice Member(string name, string type, params string[] members) =>
        new(name, name, 0, members.Length - 1, $"allowed are the members of {type}", value => $"global::Mux.{type}.{members[value]}");

    /// <summary>Gets the value of an attribute; null if it does not set the option.</summary>
    public int? In(AttributeData? attribute) => attribute?.Argument(Option) switch
    {
        bool flag => flag ? 1 : 0,
        int number => number,
        _ => null,
    };

    /// <summary>Gets the assignment for generated code; null if the value is the default or not allowed.</summary>
    public string? Assign(int value) => value == 0 || value < Least || value > Most ? null : $"{Property} = {_expression(value)}";

    /// <summary>Formats a value as in C#.</summary>
    public static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
