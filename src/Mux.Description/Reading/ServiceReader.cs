namespace Mux.Description.Reading;

/// <summary>Reads services, when all messages are known.</summary>
internal sealed class ServiceReader(TypeTable types)
{
    private readonly List<(string FullName, byte[] Descriptor)> _unread = [];
    private readonly Dictionary<string, ServiceType> _services = new(StringComparer.Ordinal);
    private readonly List<(string Service, MethodType Method, MethodOptions Options)> _options = [];

    /// <param name="bytes">The ServiceDescriptorProto.</param>
    /// <param name="package">Its package.</param>
    /// <param name="place">The file, for errors.</param>
    public void Read(ReadOnlySpan<byte> bytes, string package, string place)
    {
        var name = string.Empty;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 1) name = reader.Text();
        }

        _unread.Add((types.Declare(package, name, place), bytes.ToArray()));
    }

    /// <summary>Reads the methods of all services, and finds the messages that they name.</summary>
    public IReadOnlyList<ServiceType> Resolve()
    {
        var wireNames = new HashSet<string>(StringComparer.Ordinal);
        foreach (var (fullName, descriptor) in _unread)
        {
            var service = ReadService(fullName, descriptor);
            if (!wireNames.Add(service.Name)) DescriptionFault.Throw($"the service '{fullName}'", $"has the wire name '{service.Name}', which another one has");
            _services.Add(fullName, service);
        }

        foreach (var (service, method, options) in _options)
        {
            var place = $"the method '{service}.{method}'";
            if (options.Arguments is { } arguments) method.Arguments = types.MessageOfOption(arguments, place);
            if (options.Details.Count > 0) method.Details = DetailsOf(options, place);
            if (options.Callbacks.Count > 0) method.Callbacks = [.. options.Callbacks.Select(name => Find(name, place))];
        }

        return [.. _services.Values.OrderBy(static service => service.Name, StringComparer.Ordinal)];
    }

    private Dictionary<int, MessageType?> DetailsOf(MethodOptions options, string place)
    {
        var details = new Dictionary<int, MessageType?>();
        foreach (var (number, message) in options.Details)
        {
            if (!details.TryAdd(number, message is null ? null : types.MessageOfOption(message, place)))
                DescriptionFault.Throw(place, $"has the error detail {number} twice");
        }

        return details;
    }

    private ServiceType Find(string fullName, string place)
    {
        if (_services.TryGetValue(fullName, out var service)) return service;
        DescriptionFault.Throw(place, $"names the service {DescriptionFault.Quote(fullName)}, which no file declares");
        return null;
    }

    private ServiceType ReadService(string fullName, byte[] descriptor)
    {
        var place = $"the service '{fullName}'";
        var options = new ServiceOptions();
        var methods = new List<MethodType>();
        var reader = new WireReader(descriptor, place);
        while (reader.Read())
        {
            if (reader.Field == 2) methods.Add(ReadMethod(reader.Content(), fullName));
            else if (reader.Field == 3) options.Read(reader.Content(), place);
        }

        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var method in methods)
        {
            if (!names.Add(method.Name)) DescriptionFault.Throw(place, $"has the method '{method.Name}' twice");
        }

        return new ServiceType(fullName, NameRules.CheckWireName(options.Name ?? fullName, place), options.IsCallback) { Methods = methods };
    }

    private MethodType ReadMethod(ReadOnlySpan<byte> bytes, string service)
    {
        var place = $"a method of '{service}'";
        types.CountMember(place);
        string name = string.Empty, request = string.Empty, response = string.Empty;
        bool isRequestStream = false, isResponseStream = false;
        var options = new MethodOptions();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 1: name = reader.Text(); break;
                case 2: request = reader.Text(); break;
                case 3: response = reader.Text(); break;
                case 4: options.Read(reader.Content(), place); break;
                case 5: isRequestStream = reader.Flag(); break;
                case 6: isResponseStream = reader.Flag(); break;
            }
        }

        place = $"the method '{service}.{NameRules.CheckWord(name, place)}'";
        var wireName = NameRules.CheckWireName(options.Name ?? name, place);
        var method = new MethodType(wireName, types.Message(request, place), types.Message(response, place))
        {
            IsRequestStream = isRequestStream,
            IsResponseStream = isResponseStream,
            IsOneWay = options.IsOneWay,
            IsIdempotent = options.IsIdempotent,
            Timeout = options.TimeoutMilliseconds > 0 ? TimeSpan.FromMilliseconds(options.TimeoutMilliseconds) : null,
            MaxMessageBytes = options.MaxMessageBytes > 0 ? options.MaxMessageBytes : null,
            Priority = options.Priority,
            Format = options.Format is { } format ? NameRules.CheckWireName(format, place) : "protobuf",
            Authorization = options.Authorization,
            RequestFingerprint = options.RequestFingerprint,
            ResponseFingerprint = options.ResponseFingerprint,
        };
        _options.Add((service, method, options));
        return method;
    }
}
