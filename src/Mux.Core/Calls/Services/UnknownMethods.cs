using System.Collections.Frozen;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Calls;

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
