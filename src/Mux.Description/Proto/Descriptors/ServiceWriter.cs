namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes services, with the options of mux/options.proto.</summary>
internal static class ServiceWriter
{
    public static WireWriter Write(ProtoService service)
    {
        var bytes = new WireWriter().Text(1, service.Name);
        foreach (var method in service.Methods) bytes.Message(2, Write(method));
        var own = new WireWriter().Text(1, service.WireName).Flag(2, service.IsCallback).Flag(3, service.HasExactFields);
        return bytes.Options(3, new WireWriter().Flag(33, service.IsDeprecated).Options(OptionsReader.Extension, own));
    }

    public static WireWriter Write(ProtoMethod method) =>
        new WireWriter().Text(1, method.Name).Text(2, "." + method.RequestName).Text(3, "." + method.ResponseName)
            .Options(4, OptionsOf(method)).Flag(5, method.IsRequestStream).Flag(6, method.IsResponseStream);

    private static WireWriter OptionsOf(ProtoMethod method)
    {
        var all = new WireWriter().Flag(33, method.IsDeprecated);
        if (method.IdempotencyLevel != 0) all.Number(34, method.IdempotencyLevel);
        return all.Options(OptionsReader.Extension, OwnOptionsOf(method.Options));
    }

    private static WireWriter OwnOptionsOf(ProtoMethodOptions options)
    {
        var own = new WireWriter().Text(1, options.WireName).Flag(2, options.IsOneWay);
        if (options.TimeoutMilliseconds != 0) own.Number(3, options.TimeoutMilliseconds);
        if (options.MaxMessageBytes != 0) own.Number(4, options.MaxMessageBytes);
        if (options.Priority != 0) own.Number(5, options.Priority);
        own.Text(6, options.Format).Text(7, options.Arguments);
        foreach (var detail in options.Details) own.Message(8, new WireWriter().Number(1, detail.Number).Text(2, detail.Message));
        if (options.Authorization is { } authorization)
        {
            var bytes = new WireWriter().Flag(1, authorization.AllowsAnonymous).Flag(2, authorization.RequiresUser);
            foreach (var policy in authorization.Policies) bytes.Text(3, policy);
            foreach (var role in authorization.Roles) bytes.Text(4, role);
            own.Message(9, bytes);
        }

        foreach (var callback in options.Callbacks) own.Text(10, callback);
        return own.Fixed(11, options.RequestFingerprint).Fixed(12, options.ResponseFingerprint);
    }
}
