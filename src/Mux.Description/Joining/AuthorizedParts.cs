using Mux.Contracts;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Joining;
using Mux.Description.Reading;

namespace Mux.Description.Joining;

/// <summary>Replaces the authorization that methods declare by the one that a server asks for.</summary>
internal static class AuthorizedParts
{
    /// <param name="part">A generated descriptor.</param>
    /// <param name="authorization">Gets the authorization of a method by the wire names of its service and its own.</param>
    /// <returns>The descriptor of a service with the other authorization; others as they are.</returns>
    public static TypePart Of(TypePart part, Func<string, string, MethodAuthorization?> authorization)
    {
        if (part.Kind != PartKind.Service || PartOptions.OfService(part.Descriptor.Span) is not { IsCallback: false } options) return part;
        var service = options.WireName ?? new JoinedType(part).FullName;
        var all = new WireWriter();
        var reader = new WireReader(part.Descriptor.Span, PartOptions.Place);
        while (reader.Read())
        {
            if (reader.Field != 2)
            {
                all.Bytes(reader.Field, reader.Content());
                continue;
            }

            var method = PartOptions.MethodOf(reader.Content());
            method.Options.Authorization = ToProto(authorization(service, method.Options.WireName ?? method.Name));
            all.Message(2, ServiceWriter.Write(method));
        }

        return part with { Descriptor = all.ToArray() };
    }

    private static ProtoAuthorization? ToProto(MethodAuthorization? authorization)
    {
        if (authorization is null) return null;
        var copy = new ProtoAuthorization { AllowsAnonymous = authorization.AllowsAnonymous, RequiresUser = authorization.RequiresUser };
        copy.Policies.AddRange(authorization.Policies);
        copy.Roles.AddRange(authorization.Roles);
        return copy;
    }
}
