using Mux.Contracts;
using Mux.Engine;
using Mux.Filters;
using Mux.Services;

namespace Mux.Calls;

/// <summary>The services of one side of a connection. Filled by one thread, then built for a server or channels; a table may be read concurrently.</summary>
internal sealed class ServiceSet
{
    private readonly List<Action<HandlerEnvironment, List<InboundMethod>>> _bindings = []; // one per service
    private readonly Dictionary<string, Type> _contracts = []; // by wire name
    private readonly List<MethodDescriptor> _methods = [];
    private readonly List<ServedContract> _served = [];
    private readonly HashSet<string> _own = new(StringComparer.Ordinal); // wire names of what Mux adds by itself

    /// <summary>The methods of all services.</summary>
    public IReadOnlyList<MethodDescriptor> Methods => _methods;

    /// <summary>The services, in the order in which they were added.</summary>
    public IReadOnlyList<ServedContract> Served => _served;

    /// <summary>Adds a service.</summary>
    /// <param name="source">Its instances.</param>
    /// <param name="authorization">The callers that may call its methods; null for what the contract declares.</param>
    /// <exception cref="InvalidOperationException">The type is no contract, or the set already has its wire name.</exception>
    public void Add<TService>(ServiceSource<TService> source, MethodAuthorization? authorization = null)
        where TService : class
    {
        if (!typeof(TService).IsInterface)
        {
            throw new InvalidOperationException($"{typeof(TService)} is not an interface: name the contract that is served, such as " +
                $"AddService<I{typeof(TService).Name}>(...).");
        }

        var contract = ServiceContract<TService>.Get();
        UnreadAttributes.ThrowIfAny(typeof(TService), source.ImplementationType);
        if (!_contracts.TryAdd(contract.Name, typeof(TService)))
        {
            throw new InvalidOperationException($"{typeof(TService)} cannot be served as '{contract.Name}': {_contracts[contract.Name]} was added with this " +
                "wire name before.");
        }

        var methods = MethodsOf(contract, authorization);
        _served.Add(new ServedContractOf<TService>(contract, Bind(new ContractSource<TService>(source), methods)));
    }

    /// <summary>Adds a service of Mux itself, unless the set has its wire name: the user's own takes its place.</summary>
    /// <param name="contract">The contract.</param>
    /// <param name="service">The service.</param>
    /// <param name="methods">Lists the methods; any number of times, the same ones.</param>
    /// <returns>False if the set has the name.</returns>
    public bool TryAddOwn(ServedContract contract, object service, Action<IMethodVisitor> methods)
    {
        if (!_contracts.TryAdd(contract.Name, service.GetType())) return false;
        _own.Add(contract.Name);
        Bind(new SingletonSource<object>(service), methods);
        _served.Add(contract);
        return true;
    }

    /// <summary>Creates the handlers of all methods.</summary>
    /// <param name="environment">State that the handlers share.</param>
    /// <param name="fallback">Finds methods of other services; null if nothing does.</param>
    public MethodTable Build(HandlerEnvironment environment, IMethodFallback? fallback = null)
    {
        var methods = new List<InboundMethod>();
        foreach (var bind in _bindings) bind(environment, methods);
        foreach (var method in methods) method.IsOwn = _own.Any(name => method.Descriptor!.FullName.StartsWith($"{name}/", StringComparison.Ordinal));
        return new MethodTable(methods, environment, fallback, _own);
    }

    private static Action<IMethodVisitor> MethodsOf<TService>(ServiceContract<TService> contract, MethodAuthorization? authorization)
        where TService : class
    {
        if (authorization is null) return contract.Describe;
        var guarded = new GuardedContract(authorization);
        contract.Describe(guarded);
        return guarded.Describe;
    }

    /// <returns>The methods.</returns>
    private List<MethodDescriptor> Bind(ServiceSource<object> source, Action<IMethodVisitor> methods)
    {
        int first = _methods.Count;
        methods(new Lister(_methods));
        _bindings.Add((environment, handlers) => methods(new Binder(source, environment, handlers)));
        return _methods[first..];
    }

    /// <summary>Lists the methods of a contract.</summary>
    private sealed class Lister(List<MethodDescriptor> methods) : IMethodVisitor
    {
        public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) => methods.Add(method.Descriptor);

        public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) => methods.Add(method.Descriptor);
    }

    /// <summary>Creates the handlers of a contract's methods for one source of service instances.</summary>
    private sealed class Binder(ServiceSource<object> services, HandlerEnvironment environment, List<InboundMethod> methods) : IMethodVisitor
    {
        public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
        {
            method.Prepare();
            var filters = environment.Filters.Of(method.Descriptor, MuxCallSide.Server);
            methods.Add(environment.KeepsOrder(method.Descriptor)
                ? new OrderedHandler<TRequest, TResponse>(method, services, environment, filters)
                : new UnaryHandler<TRequest, TResponse>(method, services, environment, filters, BatchesOf(method, filters)));
        }

        private BatchQueue<TRequest, TResponse>? BatchesOf<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method, FilterPlan? filters) =>
            method.Batch is { } batch ? new(method, batch, environment, answersRunNoUserCode: filters is null && services.Singleton is not null) : null;

        public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
        {
            method.Prepare();
            methods.Add(new StreamHandler<TRequest, TItem, TResponse>(
                method, services, environment, environment.Filters.Of(method.Descriptor, MuxCallSide.Server)));
        }
    }
}
