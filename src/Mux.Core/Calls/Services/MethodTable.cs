using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.Calls;

/// <summary>The methods of a server, fixed when it starts. Searched once per connection and method, when a DEFINE comes. Safe for concurrent use.</summary>
/// <param name="methods">The methods.</param>
/// <param name="environment">Observers of calls of other methods; null if there are none.</param>
/// <param name="fallback">Finds methods that are not among them; null if nothing does.</param>
/// <param name="own">Wire names of services that the user has not added; null for none.</param>
internal sealed class MethodTable(
    IEnumerable<InboundMethod> methods, HandlerEnvironment? environment = null, IMethodFallback? fallback = null, IReadOnlySet<string>? own = null)
    : IMethodResolver
{
    // A wire name has at most 256 bytes, so at most 256 characters.
    private const int MaxNameLength = ProtocolConstants.MaxMethodName;

    private readonly FrozenDictionary<string, InboundMethod> _byName = methods
        .ToFrozenDictionary(method => method.Descriptor!.FullName, StringComparer.Ordinal);

    private readonly UnknownMethods _unknown = new(methods.Select(method => method.Descriptor!), environment, isGateway: fallback is not null);

    // At most seven per method, whatever peers define: a connection holds references only.
    private readonly ConcurrentDictionary<(InboundMethod Method, MethodShape Asked), InboundMethod> _otherShapes = new();

    /// <summary>Wire names of the user's services, in order.</summary>
    public IEnumerable<string> Services => fallback is null ? OfUser : OfUser.Concat(fallback.Patterns);

    public IEnumerable<MethodDescriptor> Descriptors => fallback is null ? Own : Own.Concat(fallback.Found);

    /// <summary>The keys of calls that run one after the other; null if no method has such.</summary>
    public KeyTable? Keys => _byName.Values.Any(static method => method.OrderScope != 0) ? environment?.Keys : null;

    /// <inheritdoc cref="IMethodFallback.ClientOf"/>
    public string? ClientOf(MethodDescriptor method) => fallback?.ClientOf(method);

    private IEnumerable<string> OfUser => own is null ? _unknown.Services : _unknown.Services.Where(name => !own.Contains(name));

    private IEnumerable<MethodDescriptor> Own => _byName.Values.Select(method => method.Descriptor!);

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape)
    {
        Span<char> characters = stackalloc char[MaxNameLength];
        if (!Encoding.UTF8.TryGetChars(name, characters, out int length)) return _unknown.Others;
        if (!_byName.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(characters[..length], out var method))
        {
            return fallback?.Find(characters[..length], shape) ?? _unknown.Find(characters[..length]);
        }

        return method.Descriptor!.Shape == shape ? method : OtherShapeOf(method, shape);
    }

    private InboundMethod OtherShapeOf(InboundMethod method, MethodShape asked) =>
        _otherShapes.GetOrAdd((method, asked), static (key, environment) => Refusing(key.Method.Descriptor!, key.Asked, environment), environment);

    /// <summary>Refuses calls of a method that has another shape here: the two sides were built against different contracts.</summary>
    private static AbsentMethod Refusing(MethodDescriptor descriptor, MethodShape asked, HandlerEnvironment? environment)
    {
        var text = $"{descriptor.FullName} is {descriptor.Shape} here and was called as {asked}: the contracts differ.";
        return new AbsentMethod(descriptor, null, text, environment);
    }
}

/// <summary>
/// Explains for an unknown method name what is missing. Keeps the answers only for the last names: a peer that makes up names must neither fill the memory nor
/// take the explanation from all others. Safe for concurrent use.
/// </summary>
/// <param name="served">The methods that the server has.</param>
/// <param name="environment">Observers of calls; null if there are none.</param>
/// <param name="isGateway">True if the server forwards the calls of other services.</param>
internal sealed class UnknownMethods(IEnumerable<MethodDescriptor> served, HandlerEnvironment? environment, bool isGateway = false)
{
    /// <summary>Most names that get an answer of their own.</summary>
    public const int Limit = 64;

    private readonly FrozenSet<string> _services = served.Select(method => ServiceOf(method.FullName)).ToFrozenSet(StringComparer.Ordinal);
    private readonly string _side = environment?.Side ?? "server";
    private readonly string _caller = environment?.Side == "client" ? "server" : "client";
    private readonly Dictionary<string, AbsentMethod> _byName = new(StringComparer.Ordinal);
    private readonly Queue<string> _names = new(Limit); // of the answers, the oldest first
    private readonly Lock _gate = new(); // guards both

    /// <summary>The answer for names of which nothing is kept.</summary>
    public InboundMethod Others { get; } = new AbsentMethod(null, null, UnknownMethod.Instance.Absence, environment);

    /// <summary>Wire names of the services, in order.</summary>
    public IEnumerable<string> Services => _services.Order(StringComparer.Ordinal);

    public InboundMethod Find(ReadOnlySpan<char> name)
    {
        lock (_gate)
        {
            var byName = _byName.GetAlternateLookup<ReadOnlySpan<char>>();
            if (byName.TryGetValue(name, out var known)) return known;
            // Connections that defined the oldest name hold its answer as long as they live.
            if (_byName.Count == Limit && _byName.Remove(_names.Dequeue(), out var oldest)) oldest.Forget(UnknownMethod.Instance.Absence);
            var kept = name.ToString();
            _names.Enqueue(kept);
            return _byName[kept] = new AbsentMethod(null, kept, Describe(kept), environment);
        }
    }

    private string Describe(string name)
    {
        var service = ServiceOf(name);
        return _services.Contains(service) && service.Length < name.Length
            ? $"The {_side} serves '{service}' without a method '{name[(service.Length + 1)..]}'; it may be older than this {_caller}."
            : isGateway ? $"The gateway has no route for '{service}'; was it mapped?"
            : $"The {_side} does not serve '{service}'; was AddService called?";
    }

    private static string ServiceOf(string fullName) => fullName.LastIndexOf('/') is >= 0 and var end ? fullName[..end] : fullName;
}

/// <summary>Finds methods that no service of a server has. Safe for concurrent use.</summary>
internal interface IMethodFallback
{
    /// <summary>The names that it covers, for the log.</summary>
    IEnumerable<string> Patterns { get; }

    /// <summary>The methods found so far, and one for each pattern, which stands for those that are not.</summary>
    IEnumerable<MethodDescriptor> Found { get; }

    /// <summary>Gets the name under which a found method is counted; null if it is not of this object.</summary>
    string? ClientOf(MethodDescriptor method);

    /// <summary>Finds a method.</summary>
    /// <param name="name">Wire name of the service, a slash, and that of the method.</param>
    /// <param name="shape">The shape that the peer gives it.</param>
    /// <returns>Null if the name is not covered.</returns>
    InboundMethod? Find(ReadOnlySpan<char> name, MethodShape shape);
}
