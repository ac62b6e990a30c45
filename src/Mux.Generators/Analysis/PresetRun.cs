using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Mux.Generators.Analysis;

/// <summary>
/// Follows the creation of one object: initializers, constructors with those that they call, and what they do
/// unconditionally, in methods and setters of the object, too. Sees the code of this project alone.
/// </summary>
internal sealed class PresetRun(INamedTypeSymbol type, Compilation compilation, CancellationToken cancellationToken)
{
    // Constructors, methods and setters that call each other.
    private const int MaxDepth = 16;

    // Calls of one creation: what calls much is followed so far.
    private const int MaxCalls = 1_000;

    // Methods that have begun: one that calls itself ends by a condition, and conditions are not followed.
    private readonly HashSet<IMethodSymbol> _running = new(SymbolEqualityComparer.Default);
    private int _calls;

    private readonly Dictionary<ISymbol, IOperation?> _values = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<SyntaxTree, SemanticModel> _models = [];

    /// <summary>Runs a constructor. Its arguments come from the message.</summary>
    public void Construct(IMethodSymbol constructor) => Construct(constructor, FromMessage(constructor), depth: 0);

    /// <summary>Runs the initializers of a class alone, and those of its base classes.</summary>
    public void Initialize()
    {
        for (var declaring = type; declaring is not null; declaring = declaring.BaseType)
            RunInitializers(declaring, []);
    }

    /// <summary>Runs a method of the object that is called before it is read.</summary>
    public void Call(IMethodSymbol method) => RunBody(method, FromMessage(method), depth: 0);

    /// <summary>Gets the value that a field or property has then.</summary>
    /// <param name="storage">What <see cref="StorageOf"/> returned.</param>
    /// <param name="value">The expression; null if the message decides, or if it is not known at all.</param>
    /// <returns>False if nothing has set it.</returns>
    public bool TryGet(ISymbol storage, out IOperation? value) => _values.TryGetValue(storage, out value);

    /// <summary>
    /// Gets where a member keeps its value: a field, or a property with an automatic one. Null if a getter computes
    /// it.
    /// </summary>
    public ISymbol? StorageOf(ISymbol member)
    {
        for (int depth = 0; depth < MaxDepth; depth++)
        {
            if (member is not IPropertySymbol property) return KeyOf(member);
            if (GetterOf(property) is not { } getter) return KeyOf(member);
            if (ReturnedBy(getter) is not { } returned || OperationOf(returned) is not { } operation
                || Bare(operation) is not IMemberReferenceOperation read)
                return null;
            if (!IsOfObject(read)) return null;
            // The field of the property itself.
            if (KeyOf(read.Member) is var key && SymbolEqualityComparer.Default.Equals(key, KeyOf(member))) return key;
            member = key;
        }

        return null;
    }

    /// <summary>Gets the initializer of a field or property of this project.</summary>
    public static EqualsValueClauseSyntax? InitializerOf(ISymbol member) => SyntaxOf(member) switch
    {
        VariableDeclaratorSyntax field => field.Initializer,
        PropertyDeclarationSyntax property => property.Initializer,
        _ => null,
    };

    /// <summary>Gets the first declaration of a symbol; null if another project declares it.</summary>
    public static SyntaxNode? SyntaxOf(ISymbol? symbol) =>
        symbol?.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax();

    // The field of an automatic property is the property.
    private static ISymbol KeyOf(ISymbol member) =>
        ((member as IFieldSymbol)?.AssociatedSymbol ?? member).OriginalDefinition;

    private static Dictionary<ISymbol, IOperation?> FromMessage(IMethodSymbol method) =>
        method.Parameters.ToDictionary<IParameterSymbol, ISymbol, IOperation?>(
            static parameter => parameter.OriginalDefinition, static _ => null, SymbolEqualityComparer.Default);

    private static bool IsOfObject(IMemberReferenceOperation member) => IsObject(member.Instance);

    private static bool IsObject(IOperation? instance) =>
        instance is IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance };

    private static IOperation Bare(IOperation value)
    {
        while (value is IConversionOperation { IsImplicit: true } conversion) value = conversion.Operand;
        return value;
    }

    // Null for a getter without a body.
    private static SyntaxNode? GetterOf(IPropertySymbol property) => SyntaxOf(property) switch
    {
        PropertyDeclarationSyntax { ExpressionBody: { } arrow } => arrow,
        PropertyDeclarationSyntax => property.GetMethod?.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() switch
        {
            AccessorDeclarationSyntax { Body: null, ExpressionBody: null } => null,
            var accessor => accessor,
        },
        _ => null,
    };

    private static ExpressionSyntax? ReturnedBy(SyntaxNode getter) => getter switch
    {
        ArrowExpressionClauseSyntax arrow => arrow.Expression,
        AccessorDeclarationSyntax { ExpressionBody: { } arrow } => arrow.Expression,
        AccessorDeclarationSyntax { Body.Statements: { Count: 1 } statements } =>
            (statements[0] as ReturnStatementSyntax)?.Expression,
        _ => null,
    };

    private static bool IsSame(ISymbol? one, ISymbol? other) =>
        SymbolEqualityComparer.Default.Equals(one?.OriginalDefinition, other?.OriginalDefinition);

    private void Construct(IMethodSymbol constructor, Dictionary<ISymbol, IOperation?> arguments, int depth)
    {
        if (depth > MaxDepth) return;
        var declaring = constructor.ContainingType;
        var declaration = constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(cancellationToken);
        SyntaxNode? next = declaration switch
        {
            ConstructorDeclarationSyntax declared => declared.Initializer,
            TypeDeclarationSyntax { BaseList.Types: { Count: > 0 } bases } =>
                bases[0] as PrimaryConstructorBaseTypeSyntax,
            _ => null,
        };
        var call = next is null ? null : OperationOf(next) as IInvocationOperation;
        if (call is null || !IsSame(call.TargetMethod.ContainingType, declaring))
        {
            RunInitializers(declaring, arguments);
            if (declaration is RecordDeclarationSyntax) SetPositional(constructor, arguments);
        }

        if (call is not null) Construct(call.TargetMethod, Bind(call.Arguments, arguments), depth + 1);
        else if (next is null && PlainOf(declaring.BaseType) is { } inherited)
            Construct(inherited, [], depth + 1);
        if (declaration is ConstructorDeclarationSyntax) RunBody(constructor, arguments, depth);
    }

    private void RunInitializers(INamedTypeSymbol declaring, Dictionary<ISymbol, IOperation?> arguments)
    {
        foreach (var member in declaring.GetMembers())
        {
            if (member.IsStatic || member.IsImplicitlyDeclared) continue;
            if (InitializerOf(member) is not { } initializer) continue;
            if (OperationOf(initializer) is ISymbolInitializerOperation { Value: { } value })
                _values[KeyOf(member)] = Resolve(value, arguments);
        }
    }

    private void SetPositional(IMethodSymbol constructor, Dictionary<ISymbol, IOperation?> arguments)
    {
        foreach (var parameter in constructor.Parameters)
        {
            var made = constructor.ContainingType.GetMembers(parameter.Name).OfType<IPropertySymbol>().FirstOrDefault(
                static property => property.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is ParameterSyntax);
            if (made is null) continue;
            _values[KeyOf(made)] = arguments.TryGetValue(parameter.OriginalDefinition, out var value) ? value : null;
        }
    }

    private void RunBody(IMethodSymbol method, Dictionary<ISymbol, IOperation?> arguments, int depth)
    {
        if (depth > MaxDepth || ++_calls > MaxCalls || SyntaxOf(method) is not { } declaration) return;
        if (!_running.Add(method.OriginalDefinition)) return;
        if (OperationOf(declaration) is IMethodBodyBaseOperation body)
            Run(body.BlockBody ?? body.ExpressionBody, arguments, depth);
        _running.Remove(method.OriginalDefinition);
    }

    // What stands below a condition or in a loop is not followed.
    private void Run(IOperation? statement, Dictionary<ISymbol, IOperation?> arguments, int depth)
    {
        switch (statement)
        {
            case IBlockOperation block:
                foreach (var inner in block.Operations)
                {
                    Run(inner, arguments, depth);
                    if (MayLeave(inner)) break; // what comes after it depends on a condition
                }

                break;
            case ITryOperation attempt:
                Run(attempt.Body, arguments, depth);
                Run(attempt.Finally, arguments, depth);
                break;
            case ILockOperation locked:
                Run(locked.Body, arguments, depth);
                break;
            case IUsingOperation used:
                Run(used.Body, arguments, depth);
                break;
            case IExpressionStatementOperation { Operation: var expression }:
                Evaluate(expression, arguments, depth);
                break;
        }
    }

    private static bool MayLeave(IOperation operation) => operation switch
    {
        IReturnOperation or IThrowOperation or IBranchOperation { BranchKind: BranchKind.GoTo } => true,
        IAnonymousFunctionOperation or ILocalFunctionOperation => false,
        _ => operation.ChildOperations.Any(MayLeave),
    };

    private void Evaluate(IOperation expression, Dictionary<ISymbol, IOperation?> arguments, int depth)
    {
        switch (expression)
        {
            case ISimpleAssignmentOperation assignment:
                Assign(assignment.Target, assignment.Value, arguments, depth);
                break;
            case IDeconstructionAssignmentOperation { Target: ITupleOperation targets } deconstruction:
                var values = Bare(deconstruction.Value) as ITupleOperation;
                for (int i = 0; i < targets.Elements.Length; i++)
                    Assign(targets.Elements[i], values?.Elements[i] ?? deconstruction.Value, arguments, depth);
                break;
            case IIncrementOrDecrementOperation { Target: IMemberReferenceOperation target } counted:
                Set(target, counted, depth);
                break;
            case ICompoundAssignmentOperation { Target: IMemberReferenceOperation target } compound:
                Set(target, Resolve(compound, arguments), depth);
                break;
            case IInvocationOperation { TargetMethod.MethodKind: MethodKind.Ordinary } call
                when IsObject(call.Instance):
                var called = call.IsVirtual ? (IMethodSymbol)LastOverrideOf(call.TargetMethod) : call.TargetMethod;
                var passed = Bind(call.Arguments, arguments);
                if (!IsSame(called, call.TargetMethod)) passed = Move(passed, call.TargetMethod, called);
                RunBody(called, passed, depth + 1);
                break;
        }
    }

    private void Assign(IOperation target, IOperation value, Dictionary<ISymbol, IOperation?> arguments, int depth)
    {
        while (Bare(value) is ISimpleAssignmentOperation inner)
        {
            Assign(inner.Target, inner.Value, arguments, depth);
            value = inner.Value;
        }

        if (target is IMemberReferenceOperation member) Set(member, Resolve(value, arguments), depth);
    }

    private void Set(IMemberReferenceOperation target, IOperation? value, int depth)
    {
        if (!IsOfObject(target)) return;
        var member = target.Instance!.Syntax is BaseExpressionSyntax ? target.Member : LastOverrideOf(target.Member);
        bool isWritten = SyntaxOf((member as IPropertySymbol)?.SetMethod)
            is AccessorDeclarationSyntax accessor && (accessor.Body is not null || accessor.ExpressionBody is not null);
        if (!isWritten)
        {
            _values[KeyOf(member)] = value;
            return;
        }

        var setter = ((IPropertySymbol)member).SetMethod!;
        var taken = setter.OriginalDefinition.Parameters[setter.Parameters.Length - 1];
        RunBody(setter, new(SymbolEqualityComparer.Default) { [taken] = value }, depth + 1);
    }

    private ISymbol LastOverrideOf(ISymbol member)
    {
        if (!member.IsVirtual && !member.IsAbstract && !member.IsOverride) return member;
        for (var declaring = type; declaring is not null; declaring = declaring.BaseType)
        {
            foreach (var candidate in declaring.GetMembers(member.Name))
            {
                if (Overrides(candidate, member)) return candidate;
            }
        }

        return member;
    }

    private static bool Overrides(ISymbol candidate, ISymbol member)
    {
        for (var overridden = candidate; overridden is not null; overridden = OverriddenBy(overridden))
        {
            if (IsSame(overridden, member)) return true;
        }

        return false;
    }

    private static ISymbol? OverriddenBy(ISymbol member) =>
        (member as IMethodSymbol)?.OverriddenMethod ?? (ISymbol?)(member as IPropertySymbol)?.OverriddenProperty;

    private static IMethodSymbol? PlainOf(INamedTypeSymbol? type) =>
        type?.InstanceConstructors.FirstOrDefault(static candidate => candidate.Parameters.IsEmpty);

    private static Dictionary<ISymbol, IOperation?> Move(
        Dictionary<ISymbol, IOperation?> arguments, IMethodSymbol from, IMethodSymbol to)
    {
        var moved = new Dictionary<ISymbol, IOperation?>(SymbolEqualityComparer.Default);
        foreach (var parameter in from.OriginalDefinition.Parameters)
        {
            if (arguments.TryGetValue(parameter, out var value))
                moved[to.OriginalDefinition.Parameters[parameter.Ordinal]] = value;
        }

        return moved;
    }

    private static Dictionary<ISymbol, IOperation?> Bind(
        IEnumerable<IArgumentOperation> given, Dictionary<ISymbol, IOperation?> arguments)
    {
        var bound = new Dictionary<ISymbol, IOperation?>(SymbolEqualityComparer.Default);
        foreach (var argument in given)
        {
            if (argument.Parameter is { } parameter)
                bound[parameter.OriginalDefinition] = Resolve(argument.Value, arguments);
        }

        return bound;
    }

    // An argument instead of its parameter. Null for what is made of one, which may be anything.
    private static IOperation? Resolve(IOperation value, Dictionary<ISymbol, IOperation?> arguments)
    {
        if (Bare(value) is IParameterReferenceOperation parameter)
            return arguments.TryGetValue(parameter.Parameter.OriginalDefinition, out var argument) ? argument : null;
        return value.DescendantsAndSelf().Any(static part => part is IParameterReferenceOperation) ? null : value;
    }

    private IOperation? OperationOf(SyntaxNode node)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!compilation.ContainsSyntaxTree(node.SyntaxTree)) return null;
        if (!_models.TryGetValue(node.SyntaxTree, out var model))
            _models.Add(node.SyntaxTree, model = compilation.GetSemanticModel(node.SyntaxTree));
        return model.GetOperation(node, cancellationToken);
    }
}
