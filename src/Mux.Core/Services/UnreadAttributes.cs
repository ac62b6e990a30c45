using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Mux.Services;

/// <summary>Refuses implementations that say who may call them: contracts do, and what stands elsewhere would protect nothing.</summary>
internal static class UnreadAttributes
{
    private const BindingFlags OwnMethods = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
        | BindingFlags.DeclaredOnly;

    // [Authorize], and what others derive from it; by name: this assembly does not know ASP.NET Core
    private const string AspNetCore = "Microsoft.AspNetCore.Authorization.IAuthorizeData";

    private const string Mistake =
        "the trimmer removes what nobody calls: a method that is gone protects nothing. Where metadata is gone as well, nothing is found.";

    /// <exception cref="InvalidOperationException">There is one, and the message says where it has to stand; or attributes cannot be read, and it names the
    /// member.</exception>
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

    /// <summary>An attribute that cannot be read may be one that says who may call: whoever has written it relies on it, so nothing is served.</summary>
    private static string? Find(MemberInfo member, string place, bool isContract)
    {
        try
        {
            return Find(member, isContract);
        }
        catch (Exception e) when (e is IOException or BadImageFormatException or TypeLoadException or MissingMemberException or CustomAttributeFormatException)
        {
            throw new InvalidOperationException($"The attributes of {place} cannot be read, and one of them may say who may call it: {e.Message} Deploy the " +
                $"assembly of each attribute, or take the attribute away.", e);
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
        $"[{attribute}] on {place} is not looked at by a server of Mux: say by [MuxAuthorize] or [MuxAllowAnonymous] on {contract} and its methods who may " +
            $"call them, and take it away here.");
}
