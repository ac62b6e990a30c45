using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Finds generic messages that contain themselves with ever larger type arguments, such as a <c>Node&lt;T&gt;</c> with
/// a <c>Node&lt;List&lt;T&gt;&gt;</c>: each would need the codec of the next one, without end.
/// </summary>
/// <remarks>
/// Two messages of one generic type on the same way, of which the later has a deeper argument, are only a suspicion: a
/// message that is not generic may mention both. The type parameters decide, as in part II.9.2 of ECMA-335: the types
/// never end if, on a circle of parameters that are passed on, one is passed inside another type. What a
/// generic type mentions is what the readers themselves find in its definition.
/// </remarks>
internal sealed class TypeGrowth(Compilation compilation)
{
    private readonly Dictionary<INamedTypeSymbol, ISymbol?> _known = new(SymbolEqualityComparer.Default);

    /// <summary>
    /// Gets the member that makes the type arguments larger each time, if the way to a message never ends: of
    /// a definition, and the same for all messages on the circle. A surrogate and the items of a collection have no
    /// member, and their type is it.
    /// </summary>
    /// <returns>Null if there is an end.</returns>
    public ISymbol? CauseOf(ReachedMessage reached)
    {
        if (!reached.Type.IsGenericType) return null;
        for (var from = reached.From; from is not null; from = from.From)
        {
            if (IsDeeper(reached.Type, from.Type)) return CauseIn(reached.Type.OriginalDefinition);
        }

        return null;
    }

    /// <summary>
    /// True if two types have the same definition, and the first has a deeper type argument than the second at the same
    /// place.
    /// </summary>
    public static bool IsDeeper(INamedTypeSymbol type, INamedTypeSymbol other)
    {
        if (!SymbolEqualityComparer.Default.Equals(type.OriginalDefinition, other.OriginalDefinition)) return false;
        return ArgumentsOf(type).Zip(ArgumentsOf(other), static (one, two) => DepthOf(one) > DepthOf(two))
            .Any(static isDeeper => isDeeper);
    }

    // Of a nested type, those of the types around it, too.
    private static IEnumerable<ITypeSymbol> ArgumentsOf(INamedTypeSymbol type)
    {
        for (var outer = type; outer is not null; outer = outer.ContainingType)
        {
            foreach (var argument in outer.TypeArguments) yield return argument;
        }
    }

    private static int DepthOf(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => 1 + DepthOf(array.ElementType),
        INamedTypeSymbol { IsGenericType: true } named => 1 + ArgumentsOf(named).Max(DepthOf),
        _ => 0,
    };

    private ISymbol? CauseIn(INamedTypeSymbol definition)
    {
        if (!_known.TryGetValue(definition, out var cause))
            _known.Add(definition, cause = new ParameterGraph(this, definition).FindCause());
        return cause;
    }

    // The types that the codec of a generic type would be made of, with its type parameters in them, and the members
    // that mention them.
    private List<(ITypeSymbol Type, ISymbol Owner)> MentionedBy(INamedTypeSymbol definition)
    {
        var mentioned = new List<(ITypeSymbol, ISymbol)>();
        var findings = new Findings(compilation.Assembly); // mistakes are told where the type is used
        var sizes = new TypeSizes(compilation);
        var values = new ValueReader(compilation, findings, Add, sizes);
        if (CollectionTypes.Of(definition) is not null) values.Read(definition, definition, default);
        else if (MessageContract.Of(definition) is not null || TupleReader.ConstructorOf(definition) is not null)
            new MessageTypeReader(compilation, findings, values, Add, sizes).Read(new MessageKey(definition));
        return mentioned;

        void Add(MessageKey key, ISymbol owner) => mentioned.Add((key.Type, owner.OriginalDefinition));
    }

    /// <summary>Which type parameter is passed on to which, from one definition on.</summary>
    private sealed class ParameterGraph
    {
        private readonly Dictionary<ISymbol, HashSet<ISymbol>> _passed = new(SymbolEqualityComparer.Default);
        private readonly List<(ISymbol From, ISymbol To, ISymbol Owner)> _grown = [];
        private readonly HashSet<INamedTypeSymbol> _met;
        private readonly Queue<INamedTypeSymbol> _unread;
        private readonly INamedTypeSymbol _definition;

        public ParameterGraph(TypeGrowth growth, INamedTypeSymbol definition)
        {
            _definition = definition;
            _met = new(SymbolEqualityComparer.Default) { definition };
            _unread = new(_met);
            while (_unread.Count > 0)
            {
                foreach (var (type, owner) in growth.MentionedBy(_unread.Dequeue())) Add(type, owner);
            }
        }

        /// <summary>
        /// Finds the member that passes a parameter on inside another type, on a circle with a parameter of the
        /// definition.
        /// </summary>
        public ISymbol? FindCause()
        {
            foreach (var (from, to, owner) in _grown)
            {
                var behind = ReachedFrom(to);
                bool isCircle = behind.Contains(from) && ArgumentsOf(_definition)
                    .Any(parameter => behind.Contains(parameter) && ReachedFrom(parameter).Contains(from));
                if (isCircle) return owner;
            }

            return null;
        }

        private void Add(ITypeSymbol type, ISymbol owner)
        {
            if (type is IArrayTypeSymbol array) Add(array.ElementType, owner);
            if (type is not INamedTypeSymbol { IsGenericType: true } named) return;
            if (_met.Add(named.OriginalDefinition)) _unread.Enqueue(named.OriginalDefinition);
            var parameters = ArgumentsOf(named.OriginalDefinition);
            foreach (var (argument, parameter) in ArgumentsOf(named).Zip(parameters, static (one, two) => (one, two)))
            {
                bool isInside = argument is not ITypeParameterSymbol;
                foreach (var passed in ParametersIn(argument)) Pass(passed, parameter, owner, isInside);
                Add(argument, owner);
            }
        }

        private void Pass(ITypeParameterSymbol from, ISymbol to, ISymbol owner, bool isInside)
        {
            if (!_passed.TryGetValue(from, out var targets))
                _passed.Add(from, targets = new(SymbolEqualityComparer.Default));
            targets.Add(to);
            if (isInside) _grown.Add((from, to, owner));
        }

        private static IEnumerable<ITypeParameterSymbol> ParametersIn(ITypeSymbol type) => type switch
        {
            ITypeParameterSymbol parameter => [(ITypeParameterSymbol)parameter.OriginalDefinition],
            IArrayTypeSymbol array => ParametersIn(array.ElementType),
            INamedTypeSymbol named => ArgumentsOf(named).SelectMany(ParametersIn),
            _ => [],
        };

        private HashSet<ISymbol> ReachedFrom(ISymbol parameter)
        {
            var reached = new HashSet<ISymbol>(SymbolEqualityComparer.Default) { parameter };
            var unread = new Queue<ISymbol>(reached);
            while (unread.Count > 0)
            {
                if (!_passed.TryGetValue(unread.Dequeue(), out var targets)) continue;
                foreach (var target in targets)
                {
                    if (reached.Add(target)) unread.Enqueue(target);
                }
            }

            return reached;
        }
    }
}

/// <summary>A message that one contract reaches, and the way to it.</summary>
/// <param name="Type">The message.</param>
/// <param name="From">The message that mentions it; null if a method does.</param>
internal sealed record ReachedMessage(INamedTypeSymbol Type, ReachedMessage? From);
