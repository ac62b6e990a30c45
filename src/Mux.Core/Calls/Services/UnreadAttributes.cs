using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Mux.Calls;

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
