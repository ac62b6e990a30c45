using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Mux.Generators.Analysis;

/// <summary>
/// Finds switches on an enum that do not expect some of its values. Binds the switches of a whole compilation, so it is for values that are new.
/// </summary>
internal static class EnumSwitches
{
    /// <param name="compilation">The code.</param>
    /// <param name="values">Constants of one enum.</param>
    /// <param name="cancellationToken">Ends the search.</param>
    /// <returns>The keyword of each switch without a default, with the constants for which it has no case.</returns>
    public static IEnumerable<(Location Place, List<IFieldSymbol> Missing)> Find(
        Compilation compilation, IReadOnlyCollection<IFieldSymbol> values, CancellationToken cancellationToken)
    {
        if (values.Count == 0) yield break;
        foreach (var tree in compilation.SyntaxTrees)
        {
            var keywords = tree.GetRoot(cancellationToken).DescendantNodes().Select(static node => (Node: node, Keyword: KeywordOf(node)))
                .Where(static found => !found.Keyword.IsKind(Microsoft.CodeAnalysis.CSharp.SyntaxKind.None)).ToList();
            if (keywords.Count == 0) continue;
            var model = compilation.GetSemanticModel(tree);
            foreach (var (node, keyword) in keywords)
            {
                var missing = MissingOf(model.GetOperation(node, cancellationToken), values);
                if (missing.Count > 0) yield return (keyword.GetLocation(), missing);
            }
        }
    }

    private static SyntaxToken KeywordOf(SyntaxNode node) => node switch
    {
        SwitchStatementSyntax statement => statement.SwitchKeyword,
        SwitchExpressionSyntax expression => expression.SwitchKeyword,
        _ => default,
    };

    private static List<IFieldSymbol> MissingOf(IOperation? operation, IReadOnlyCollection<IFieldSymbol> values)
    {
        var (switched, known) = operation switch
        {
            ISwitchOperation statement => (statement.Value.Type, Known(statement)),
            ISwitchExpressionOperation expression => (expression.Value.Type, Known(expression)),
            _ => (null, null),
        };
        if (switched is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable) switched = nullable.TypeArguments[0];
        bool isSame = SymbolEqualityComparer.Default.Equals(switched, values.First().ContainingType);
        return isSame && known is not null ? [.. values.Where(value => !known.Contains(value.ConstantValue!))] : [];
    }

    // The constants that have a case; null if there is one for all others.
    private static HashSet<object>? Known(ISwitchOperation statement)
    {
        var known = new HashSet<object>();
        foreach (var clause in statement.Cases.SelectMany(static section => section.Clauses))
        {
            bool isForAll = clause switch
            {
                ISingleValueCaseClauseOperation single => !AddConstant(known, single.Value),
                IPatternCaseClauseOperation pattern => pattern.Guard is null && !Add(known, pattern.Pattern),
                _ => true,
            };
            if (isForAll) return null;
        }

        return known;
    }

    private static HashSet<object>? Known(ISwitchExpressionOperation expression)
    {
        var known = new HashSet<object>();
        return expression.Arms.Any(arm => arm.Guard is null && !Add(known, arm.Pattern)) ? null : known;
    }

    // False for a pattern that may match all others, such as a discard or a comparison.
    private static bool Add(HashSet<object> known, IPatternOperation pattern) => pattern switch
    {
        IConstantPatternOperation constant => AddConstant(known, constant.Value),
        IBinaryPatternOperation { OperatorKind: BinaryOperatorKind.Or } either => Add(known, either.LeftPattern) && Add(known, either.RightPattern),
        _ => false,
    };

    private static bool AddConstant(HashSet<object> known, IOperation value)
    {
        while (!value.ConstantValue.HasValue && value is IConversionOperation conversion) value = conversion.Operand;
        if (!value.ConstantValue.HasValue) return false;
        if (value.ConstantValue.Value is { } constant) known.Add(constant);
        return true;
    }
}
