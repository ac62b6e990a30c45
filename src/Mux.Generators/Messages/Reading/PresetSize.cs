using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Approximate memory of the objects that initializers and the parameterless constructor create along with an object: new expressions and collection
/// expressions. Does not see objects that called methods create, nor code of other assemblies.
/// </summary>
internal sealed class PresetSize(Compilation compilation, TypeSizes sizes, int depth)
{
    private const int ArrayHeader = 24;
    private const int SlotOverhead = 12;
    private const int MaxSize = 1 << 28;

    // Depth of objects that create objects: sources in the middle of an edit can be endless.
    private const int MaxDepth = 3;

    /// <summary>Total size in bytes.</summary>
    public int Of(INamedTypeSymbol type)
    {
        if (depth >= MaxDepth || MessageContract.Of(type)?.SkipConstructor == true) return 0;
        long size = OfConstructor(type.InstanceConstructors.FirstOrDefault(static constructor => constructor.Parameters.IsEmpty));
        for (var declaring = type; declaring is { SpecialType: not SpecialType.System_Object }; declaring = declaring.BaseType)
        {
            foreach (var member in declaring.GetMembers())
            {
                if (member.IsStatic || ((member as IFieldSymbol)?.Type ?? (member as IPropertySymbol)?.Type) is not { } target) continue;
                foreach (var initializer in InitializersOf(member)) size += OfCode(initializer, target);
            }
        }

        return (int)Math.Min(size, MaxSize);
    }

    private static IEnumerable<ExpressionSyntax> InitializersOf(ISymbol member)
    {
        foreach (var reference in member.DeclaringSyntaxReferences)
        {
            var initializer = reference.GetSyntax() switch
            {
                VariableDeclaratorSyntax field => field.Initializer,
                PropertyDeclarationSyntax property => property.Initializer,
                _ => null,
            };
            if (initializer is not null) yield return initializer.Value;
        }
    }

    // Includes constructors that it calls, of the class itself or its base.
    private long OfConstructor(IMethodSymbol? constructor)
    {
        long size = 0;
        for (int called = 0; constructor is not null && called <= MaxDepth * MaxDepth; called++)
        {
            // A primary constructor has no code except what it passes on.
            var (code, next) = constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() switch
            {
                ConstructorDeclarationSyntax declared => ((SyntaxNode?)declared, (SyntaxNode?)declared.Initializer),
                TypeDeclarationSyntax { BaseList: { } bases } when bases.Types.FirstOrDefault() is PrimaryConstructorBaseTypeSyntax passing =>
                    (passing.ArgumentList, passing),
                _ => (null, null),
            };
            if (code is not null) size += OfCode(code);
            constructor = next is not null && compilation.ContainsSyntaxTree(next.SyntaxTree) ? ModelOf(next).GetSymbolInfo(next).Symbol as IMethodSymbol
                : BaseOf(constructor);
        }

        return size;
    }

    private static IMethodSymbol? BaseOf(IMethodSymbol constructor) =>
        constructor.ContainingType.BaseType?.InstanceConstructors.FirstOrDefault(static candidate => candidate.Parameters.IsEmpty);

    private SemanticModel ModelOf(SyntaxNode node) => compilation.GetSemanticModel(node.SyntaxTree);

    // An expression without a type name has the type of the member, and need not be bound.
    private long OfCode(SyntaxNode code, ITypeSymbol? target = null)
    {
        if (!compilation.ContainsSyntaxTree(code.SyntaxTree)) return 0;
        var made = code.DescendantNodesAndSelf(static node => node is not (AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax)).Where(IsCreation)
            .ToList();
        return made.Count == 0 ? 0
            : made.Sum(node =>
                OfCreation(node, node == code && node is (ImplicitObjectCreationExpressionSyntax or CollectionExpressionSyntax) ? target : null));
    }

    private static bool IsCreation(SyntaxNode node) =>
        node is BaseObjectCreationExpressionSyntax or ArrayCreationExpressionSyntax or ImplicitArrayCreationExpressionSyntax or CollectionExpressionSyntax
        || (node.IsKind(SyntaxKind.ArrayInitializerExpression) && node.Parent is EqualsValueClauseSyntax);

    private long OfCreation(SyntaxNode node, ITypeSymbol? target)
    {
        var model = new Lazy<SemanticModel>(() => ModelOf(node)); // most creations need none
        return (target ?? TypeOf(model.Value.GetTypeInfo(node))) switch
        {
            IArrayTypeSymbol array => CountOf(model.Value, node) is > 0 and var count ? ArrayHeader + (count * TypeSize.OfSlot(array.ElementType)) : 0,
            INamedTypeSymbol { TypeKind: TypeKind.Interface } collection => collection.Name is "IList" or "ICollection" ? ObjectSizes.EmptyList : 0,
            INamedTypeSymbol { TypeKind: TypeKind.Class } type => OfObject(type) + OfRoom(model, node, type),
            _ => 0,
        };
    }

    private static ITypeSymbol? TypeOf(TypeInfo info) => info.Type ?? info.ConvertedType;

    private long OfObject(INamedTypeSymbol type)
    {
        if (!IsCollection(type)) return sizes.Of(type, depth + 1);
        return type.Name switch
        {
            "ConcurrentDictionary" => ObjectSizes.ConcurrentTable,
            "ConcurrentQueue" or "ConcurrentBag" => ObjectSizes.Concurrent,
            "List" or "Stack" or "Queue" or "LinkedList" => ObjectSizes.EmptyList,
            _ => ObjectSizes.EmptyTable,
        };
    }

    private static bool IsCollection(INamedTypeSymbol type)
    {
        for (var space = type.ContainingNamespace; space is { IsGlobalNamespace: false }; space = space.ContainingNamespace)
        {
            if (space is { Name: "Collections", ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } })
                return !SymbolEqualityComparer.Default.Equals(space, type.ContainingNamespace);
        }

        return false;
    }

    // Memory requested by a number, such as a list with capacity for a hundred items.
    private static long OfRoom(Lazy<SemanticModel> model, SyntaxNode node, INamedTypeSymbol type)
    {
        if (node is not BaseObjectCreationExpressionSyntax { ArgumentList.Arguments: { Count: > 0 } arguments }) return 0;
        if (model.Value.GetSymbolInfo(node).Symbol is not IMethodSymbol { Parameters: { Length: > 0 } parameters }) return 0;
        if (parameters[0].Name != "capacity") return 0;
        if (model.Value.GetConstantValue(arguments[0].Expression).Value is not int capacity || capacity <= 0) return 0;
        return capacity * (long)(type.TypeArguments.Sum(TypeSize.OfSlot) + (type.Name is "List" or "Stack" or "Queue" ? 0 : SlotOverhead));
    }

    private static long CountOf(SemanticModel model, SyntaxNode node) => node switch
    {
        CollectionExpressionSyntax collection => collection.Elements.Count,
        InitializerExpressionSyntax initializer => initializer.Expressions.Count,
        ImplicitArrayCreationExpressionSyntax array => array.Initializer.Expressions.Count,
        ArrayCreationExpressionSyntax { Initializer: { } initializer } => initializer.Expressions.Count,
        ArrayCreationExpressionSyntax array => array.Type.RankSpecifiers[0].Sizes
            .Aggregate(1L, (count, size) => model.GetConstantValue(size).Value is int known ? count * known : 0),
        _ => 0,
    };
}
