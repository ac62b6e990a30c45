using System.Diagnostics.CodeAnalysis;
using System.Reflection;
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

/// <summary>A contract of a generated kind that a server serves.</summary>
internal sealed class ServedContractOf<TService>(ServiceContract<TService> contract, IReadOnlyList<MethodDescriptor> methods)
    : ServedContract(contract.Name, methods)
    where TService : class
{
    public override void Describe(ContractDescription description) => contract.Describe(description);
}

/// <summary>The methods of a contract with another authorization than it declares. Filled by one visit, then visited any number of times.</summary>
/// <param name="authorization">The callers that may call.</param>
internal sealed class GuardedContract(MethodAuthorization authorization) : IMethodVisitor
{
    private readonly List<Action<IMethodVisitor>> _methods = [];

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        var guarded = new UnaryMethod<TRequest, TResponse>(
            method.Descriptor.WithAuthorization(authorization), method.Requests, method.Responses, method.Invoke)
        {
            Details = method.Details,
            KeyOf = method.KeyOf,
            KeyName = method.KeyName,
            Describe = method.Describe,
            Batch = method.Batch,
        };
        _methods.Add(visitor => visitor.Unary(guarded));
    }

    public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        var guarded = new StreamMethod<TRequest, TItem, TResponse>(
            method.Descriptor.WithAuthorization(authorization), method.Requests, method.Items, method.Responses)
        {
            Details = method.Details,
            KeyOf = method.KeyOf,
            KeyName = method.KeyName,
            Describe = method.Describe,
            Invoke = method.Invoke,
            InvokeAsync = method.InvokeAsync,
        };
        _methods.Add(visitor => visitor.Stream(guarded));
    }

    public void Describe(IMethodVisitor visitor)
    {
        foreach (var describe in _methods) describe(visitor);
    }
}

/// <summary>Rejects implementations with authorization attributes: only those of contracts are read, so these would protect nothing.</summary>
internal static class UnreadAttributes
{
    private const BindingFlags OwnMethods = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
        | BindingFlags.DeclaredOnly;

    // [Authorize] and attributes derived from it. Found by name: this assembly does not reference ASP.NET Core.
    private const string AspNetCore = "Microsoft.AspNetCore.Authorization.IAuthorizeData";

    private const string Mistake =
        "the trimmer removes methods that are not called: a removed method protects nothing. Where metadata is removed as well, nothing is found.";

    /// <exception cref="InvalidOperationException">
    /// There is such an attribute, and the message says where it belongs; or attributes cannot be read, and the message names the member.
    /// </exception>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = Mistake)]
    public static void ThrowIfAny(Type contract, Type? implementation)
    {
        foreach (var type in contract.GetInterfaces().Prepend(contract)) Check(type, contract, isContract: true);
        for (var type = implementation; type is not null && type != typeof(object); type = type.BaseType) Check(type, contract, isContract: false);
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = Mistake)]
    private static void Check(Type type, Type contract, bool isContract)
    {
        if (Find(type, type.ToString(), isContract) is { } ofType) throw Refusal(ofType, type.ToString(), contract);
        foreach (var method in type.GetMethods(OwnMethods))
        {
            string place = $"{type}.{method.Name}";
            if (Find(method, place, isContract) is { } ofMethod) throw Refusal(ofMethod, place, contract);
        }
    }

    /// <summary>Finds the name of such an attribute. Throws if an attribute cannot be read: it may restrict callers, and its author relies on it.</summary>
    private static string? Find(MemberInfo member, string place, bool isContract)
    {
        try
        {
            return Find(member, isContract);
        }
        catch (Exception e) when (e is IOException or BadImageFormatException or TypeLoadException or MissingMemberException or CustomAttributeFormatException)
        {
            throw new InvalidOperationException($"The attributes of {place} cannot be read, and one of them may restrict its callers: {e.Message} Deploy the " +
                "assembly of each attribute, or remove the attribute.", e);
        }
    }

    private static string? Find(MemberInfo member, bool isContract)
    {
        foreach (var attribute in member.CustomAttributes)
        {
            var type = attribute.AttributeType;
            bool isOfMux = type == typeof(MuxAuthorizeAttribute) || type == typeof(MuxAllowAnonymousAttribute);
            if ((isOfMux && !isContract) || IsOfAspNetCore(type)) return type.Name.Replace(nameof(Attribute), string.Empty, StringComparison.Ordinal);
        }

        return null;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "An interface of an attribute that the application asks for is there.")]
    private static bool IsOfAspNetCore(Type attribute) => Array.Exists(attribute.GetInterfaces(), type => type.FullName == AspNetCore);

    private static InvalidOperationException Refusal(string attribute, string place, Type contract) => new(
        $"[{attribute}] on {place} has no effect on a Mux server. Put [MuxAuthorize] or [MuxAllowAnonymous] on {contract} or its methods, and remove it " +
            "here.");
}

/// <summary>Provides one instance for all calls.</summary>
internal sealed class SingletonSource<TService>(TService service) : ServiceSource<TService>
    where TService : class
{
    public override TService? Singleton => service;

    public override ServiceLease<TService> Open() => new(service, null);
}

/// <summary>The instances of a contract without its type, so that handlers of all contracts share code. Safe for concurrent use.</summary>
internal sealed class ContractSource<TService>(ServiceSource<TService> services) : ServiceSource<object>
    where TService : class
{
    public override object? Singleton => services.Singleton;

    public override bool TakesCaller => services.TakesCaller;

    public override ServiceLease<object> Open() => Untyped(services.Open());

    public override ServiceLease<object> Open(MuxPeer caller) => Untyped(services.Open(caller));

    private static ServiceLease<object> Untyped(ServiceLease<TService> lease) => new(lease.Service, lease.Scope);
}
