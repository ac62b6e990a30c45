using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>A part of a description, with all messages and enums that it reaches.</summary>
internal sealed class ContractPart
{
    private readonly SortedDictionary<string, MessageType> _messages = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, EnumType> _enums = new(StringComparer.Ordinal);
    private readonly List<(ServiceType Service, IReadOnlyList<MethodType> Methods)> _services = [];
    private readonly HashSet<ServiceType> _known = [];

    private ContractPart()
    {
    }

    /// <summary>Gets the services with the methods that are shown.</summary>
    public IReadOnlyList<(ServiceType Service, IReadOnlyList<MethodType> Methods)> Services => _services;

    /// <summary>Gets the messages by name, without the entries of maps.</summary>
    public IEnumerable<MessageType> Messages => _messages.Values.Where(static message => !message.IsMapEntry);

    public IEnumerable<EnumType> Enums => _enums.Values;

    public static ContractPart OfAll(ContractSet set)
    {
        var part = new ContractPart();
        foreach (var service in set.Services) part.Add(service, service.Methods);
        foreach (var message in set.Messages) part.Add(message);
        foreach (var type in set.Enums) part._enums.TryAdd(type.FullName, type);
        return part;
    }

    /// <summary>Finds a service, a method, a message or an enum.</summary>
    /// <returns>Null if the set has none of this name.</returns>
    public static ContractPart? Find(ContractSet set, string name)
    {
        var part = new ContractPart();
        int slash = name.LastIndexOf('/');
        if (slash >= 0)
        {
            if (set.FindService(name[..slash]) is not { } owner) return null;
            if (owner.Methods.FirstOrDefault(method => method.Name == name[(slash + 1)..]) is not { } method) return null;
            part.Add(owner, [method]);
        }
        else if (set.FindService(name) is { } service)
        {
            part.Add(service, service.Methods);
        }
        else if (set.FindMessage(name) is { } message)
        {
            part.Add(message);
        }
        else if (set.FindEnum(name) is { } found)
        {
            part._enums.Add(found.FullName, found);
        }
        else
        {
            return null;
        }

        return part;
    }

    // No recursion, here and below: a description may come from a peer.
    private void Add(ServiceType first, IReadOnlyList<MethodType> shown)
    {
        var next = new Queue<(ServiceType Service, IReadOnlyList<MethodType> Methods)>([(first, shown)]);
        while (next.TryDequeue(out var part))
        {
            if (!_known.Add(part.Service)) continue;
            _services.Add(part);
            foreach (var method in part.Methods)
            {
                foreach (var message in (MessageType?[])[method.Request, method.Response, method.Arguments, .. method.Details.Values]) Add(message);
                foreach (var callback in method.Callbacks) next.Enqueue((callback, callback.Methods));
            }
        }
    }

    private void Add(MessageType? first)
    {
        var next = new Stack<MessageType?>([first]);
        while (next.TryPop(out var message))
        {
            if (message is null || !_messages.TryAdd(message.FullName, message)) continue;
            foreach (var field in message.Fields)
            {
                if (field.Enum is { } type) _enums.TryAdd(type.FullName, type);
                next.Push(field.Message);
            }
        }
    }
}
