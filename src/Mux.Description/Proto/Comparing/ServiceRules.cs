namespace Mux.Description.Proto.Comparing;

/// <summary>Rules for services and for which methods there are. Both are found by their names on the wire.</summary>
internal static class ServiceRules
{
    public static void Compare(ContractComparison comparison)
    {
        var current = new Dictionary<string, ProtoService>(StringComparer.Ordinal);
        foreach (var service in comparison.Current.Services.Where(static service => !service.IsCallback)) current[WireNameOf(service)] = service;
        // A message that several services have is compared once, as exactly as one of them has it.
        var services = comparison.RecordedServices.Where(static service => !service.IsCallback)
            .OrderBy(service => current.TryGetValue(WireNameOf(service), out var other) && !AreExact(service, other));
        foreach (var service in services.ToList())
        {
            var name = WireNameOf(service);
            if (current.TryGetValue(name, out var other)) Compare(comparison, service, other);
            else ReportGone(comparison, service, name);
            current.Remove(name);
        }

        foreach (var service in comparison.Current.Services)
        {
            if (!service.IsCallback && current.ContainsKey(WireNameOf(service))) comparison.NoteNew("service", service);
        }
    }

    /// <summary>Compares the methods of callbacks. The services that they belong to have no name on the wire.</summary>
    public static void CompareCallbacks(ContractComparison comparison, List<ProtoService> recorded, List<ProtoService> current)
    {
        var methods = new Dictionary<string, (ProtoService, ProtoMethod)>(StringComparer.Ordinal);
        foreach (var service in current)
        {
            foreach (var method in service.Methods) methods[WireNameOf(method)] = (service, method);
        }

        foreach (var service in recorded) CompareMethods(comparison, service, current[0], methods);
        foreach (var (service, method) in methods.Values) comparison.NoteNew("method", service, method);
    }

    private static bool AreExact(ProtoService recorded, ProtoService current) =>
        recorded.HasExactFields && current.HasExactFields;

    private static string WireNameOf(ProtoService service) => service.WireName ?? service.FullName;

    private static string WireNameOf(ProtoMethod method) => method.Options.WireName ?? method.Name;

    private static void Compare(ContractComparison comparison, ProtoService recorded, ProtoService current)
    {
        comparison.AreFieldsExact = AreExact(recorded, current);
        comparison.Note(
            new Differences().Name(recorded.FullName, current.FullName).Deprecated(recorded.IsDeprecated, current.IsDeprecated)
                .Exact(recorded.HasExactFields, current.HasExactFields),
            current);
        var methods = new Dictionary<string, (ProtoService, ProtoMethod)>(StringComparer.Ordinal);
        foreach (var method in current.Methods) methods[WireNameOf(method)] = (current, method);
        CompareMethods(comparison, recorded, current, methods);
        foreach (var (service, method) in methods.Values) comparison.NoteNew("method", service, method);
    }

    // Removes those that are recorded, so that the new ones remain.
    private static void CompareMethods(
        ContractComparison comparison, ProtoService recorded, ProtoService current, Dictionary<string, (ProtoService Service, ProtoMethod Method)> methods)
    {
        foreach (var method in recorded.Methods)
        {
            var name = WireNameOf(method);
            if (methods.TryGetValue(name, out var other))
            {
                methods.Remove(name);
                new MethodRules(comparison, recorded, method, other.Service, other.Method).Compare();
                continue;
            }

            comparison.Report(new ContractFinding(
                ContractRule.Gone, ContractComparison.NameOf(recorded, method), "a method", "gone",
                $"keep it; to rename it in the code only, mark it with [MuxMethod(\"{name}\")]")
            {
                RecordedType = recorded,
                RecordedPosition = method.Position,
                CurrentType = current,
            });
        }
    }

    private static void ReportGone(ContractComparison comparison, ProtoService service, string name) => comparison.Report(new ContractFinding(
        ContractRule.Gone, service.FullName, "a service", "gone", $"keep it; to rename it in the code only, mark it with [MuxService(\"{name}\")]")
    {
        RecordedType = service,
        RecordedPosition = service.Position,
    });
}
