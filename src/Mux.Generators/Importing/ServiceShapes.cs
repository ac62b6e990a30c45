using Mux.Description.Proto;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Importing;

/// <summary>Decides which services can be imported: their methods send protobuf, in a shape that a contract has.</summary>
internal static class ServiceShapes
{
    public const string Empty = "google.protobuf.Empty";
    public const string RawBytes = "mux.RawBytes";
    private const string Opaque = "mux.Opaque";

    /// <summary>Removes services that cannot be imported from the files of the project.</summary>
    public static void Keep(ProtoSet set, ImportFiles files, List<ImportFault> faults)
    {
        // Until none is found: what names a removed callback is removed as well.
        while (Remove(set, files, faults) > 0)
        {
        }
    }

    private static int Remove(ProtoSet set, ImportFiles files, List<ImportFault> faults)
    {
        int before = faults.Count;
        var wireNames = new Dictionary<string, string>(StringComparer.Ordinal);
        var callbacks = new HashSet<string>(
            set.Services.Where(static service => service.IsCallback).Select(static service => service.FullName), StringComparer.Ordinal);
        foreach (var file in set.Files)
        {
            if (files.Find(file.Name) is not { } input) continue;
            foreach (var service in file.Services.ToList())
            {
                var fault = FaultOf(service, set, callbacks, input) ?? FaultOf(service, wireNames, input);
                if (fault is null) continue;
                faults.Add(fault);
                file.Services.Remove(service);
            }
        }

        return faults.Count - before;
    }

    private static ImportFault? FaultOf(ProtoService service, ProtoSet set, HashSet<string> callbacks, ImportInput input)
    {
        foreach (var method in service.Methods)
        {
            if (ProblemOf(method, set, callbacks) is not { } problem) continue;
            return new ImportFault(
                ImportDiagnostics.Service, input.Path, method.Position.Line, method.Position.Column,
                new([service.FullName, $"its method '{method.Name}' {problem}"]));
        }

        return null;
    }

    private static ImportFault? FaultOf(ProtoService service, Dictionary<string, string> wireNames, ImportInput input)
    {
        var wireName = service.WireName ?? service.FullName;
        if (service.IsCallback || !wireNames.TryGetValue(wireName, out var other))
        {
            wireNames[wireName] = service.FullName;
            return null;
        }

        return new ImportFault(
            ImportDiagnostics.Service, input.Path, service.Position.Line, service.Position.Column,
            new([service.FullName, $"the service '{other}' has the same name on the wire, '{wireName}'"]));
    }

    private static string? ProblemOf(ProtoMethod method, ProtoSet set, HashSet<string> callbacks)
    {
        var options = method.Options;
        if (options.Format is { } format) return $"has the format '{format}', which its .proto file does not describe; import a contract in protobuf";
        if (method.RequestName == Opaque || method.ResponseName == Opaque) return "names mux.Opaque, whose format the file does not say";
        if (method is { RequestName: RawBytes, IsRequestStream: false } || method is { ResponseName: RawBytes, IsResponseStream: false })
            return "has mux.RawBytes without 'stream'; raw bytes are streams";
        if (options.Details.Exists(static detail => detail.Message is null)) return "has an error detail without a message; name one";
        if (options.Arguments is not null && !method.IsRequestStream) return "has the option 'arguments' without a request stream, which they would precede";
        foreach (var name in options.Details.Select(static detail => detail.Message).Append(options.Arguments).OfType<string>())
        {
            if (!set.Messages.ContainsKey(name)) return $"names the message '{name}', which is in no file that is imported";
        }

        return options.Callbacks.Find(name => !callbacks.Contains(name)) is { } callback
            ? $"names the callback '{callback}', which is not imported" : null;
    }
}
