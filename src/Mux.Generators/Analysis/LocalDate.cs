using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Recognizes expressions whose DateTime is local time or has no kind, by the members of .NET that make one.</summary>
internal static class LocalDate
{
    private const string Date = "System.DateTime";
    private const string Offset = "System.DateTimeOffset";
    private const int Utc = 1; // of DateTimeKind

    /// <summary>Says what an expression makes and what to use instead; null if it is not known to be local or without a kind.</summary>
    public static string? ProblemOf(IOperation operation) => operation switch
    {
        IPropertyReferenceOperation { Property: { Name: "Now" or "Today" or "DateTime" or "LocalDateTime" } property } => ProblemOf(property),
        IObjectCreationOperation { Arguments.Length: > 0, Type: { } type } creation when IsDate(type) => ProblemOf(creation.Arguments),
        IInvocationOperation { TargetMethod: { Name: "SpecifyKind", ContainingType: { } type } } call when IsDate(type) => ProblemOf(call.Arguments),
        IInvocationOperation { TargetMethod: { Name: "ToLocalTime", ContainingType: { } type } } when IsDate(type) =>
            "ToLocalTime() makes local time of it; leave it out",
        _ => null,
    };

    /// <summary>True if an operation makes another date of a date, of the same kind.</summary>
    public static bool KeepsKind(IOperation operation, IOperation date) => operation switch
    {
        IConversionOperation { OperatorMethod: null } => true, // an operator of a user's type may make UTC of it
        IConditionalOperation conditional => !ReferenceEquals(conditional.Condition, date),
        ICoalesceOperation => true,
        IPropertyReferenceOperation { Property: { Name: "Date", ContainingType: { } type } } => IsDate(type),
        IInvocationOperation { Type: { } result, TargetMethod: { ContainingType: { } type, Name: not ("ToUniversalTime" or "ToLocalTime") } } call =>
            ReferenceEquals(call.Instance, date) && IsDate(type) && IsDate(result),
        _ => false,
    };

    /// <summary>True if a member or parameter holds a date, or null.</summary>
    public static bool IsHeldBy(ISymbol place) => place switch
    {
        IPropertySymbol property => IsDate(property.Type.WithoutNullable()),
        IFieldSymbol field => IsDate(field.Type.WithoutNullable()),
        IParameterSymbol parameter => IsDate(parameter.Type.WithoutNullable()),
        _ => false,
    };

    private static bool IsDate(ITypeSymbol type) => type is INamedTypeSymbol named && named.HasFullName(Date);

    private static string? ProblemOf(IPropertySymbol property) => property.Name switch
    {
        "Now" when IsDate(property.ContainingType) => "DateTime.Now is local time; use DateTime.UtcNow",
        "Today" when IsDate(property.ContainingType) => "DateTime.Today is a local day; use DateTime.UtcNow.Date, or a DateOnly",
        "DateTime" or "LocalDateTime" when property.ContainingType.HasFullName(Offset) =>
            $"DateTimeOffset.{property.Name} is the time at a place; use DateTimeOffset.UtcDateTime",
        _ => null,
    };

    // A kind that is not a constant may be right.
    private static string? ProblemOf(IEnumerable<IArgumentOperation> arguments)
    {
        var kind = arguments.FirstOrDefault(static argument => argument.Parameter?.Type.Name == "DateTimeKind");
        if (kind is null) return "it has no kind; if it is UTC, say so by DateTimeKind.Utc";
        if (kind.Value.ConstantValue is not { HasValue: true, Value: int number } || number == Utc) return null;
        return $"it has the kind {(number == 0 ? "Unspecified" : "Local")}; convert it, or say DateTimeKind.Utc if it is UTC";
    }
}
