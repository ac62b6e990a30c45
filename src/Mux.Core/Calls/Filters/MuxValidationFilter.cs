using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;

namespace Mux.Filters;

/// <summary>
/// Checks requests against the attributes of <c>System.ComponentModel.DataAnnotations</c> on their members, and <see cref="IValidatableObject"/>. A request
/// that is not valid fails with <see cref="MuxStatus.InvalidArgument"/> and a message that names the members; its handler does not run, and on a channel it
/// is not sent.
/// </summary>
/// <remarks>
/// Members of members are not checked, as everywhere with these attributes, nor are items of request streams, nor attributes of parameters. Of a method with
/// several parameters each message is checked, and errors name its parameter, too. The messages are those of the attributes. Reads members by reflection: not
/// for trimmed programs and Native AOT.
/// </remarks>
[method: RequiresUnreferencedCode(Reflection)]
public sealed class MuxValidationFilter() : MuxFilter
{
    /// <summary>Why trimmed programs must not use it.</summary>
    internal const string Reflection = "Validation attributes are read by reflection from the members of requests, which trimming may remove.";

    private const int MostErrors = 16; // a message has 4,096 bytes

    /// <inheritdoc/>
    public override bool ReadsElapsed => false;

    /// <inheritdoc/>
    public override ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        ArgumentNullException.ThrowIfNull(call);
        var names = call.ArgumentNames;
        var errors = new List<string>();
        if (names.Count <= 1)
        {
            Find(call.Request, string.Empty, call.Services, errors);
        }
        else
        {
            foreach (string name in names) Find(call.TryGetArgument(name, out object? value) ? value : null, name + ".", call.Services, errors);
        }

        if (errors.Count == 0) return next.RunAsync(call);
        call.Fail(MuxStatus.InvalidArgument, $"The request is not valid: {string.Join("; ", errors.Take(MostErrors))}");
        return default;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The constructor warns.")]
    private static void Find(object? message, string prefix, IServiceProvider? services, List<string> errors)
    {
        if (message is null) return;
        var found = new List<ValidationResult>();
        Validator.TryValidateObject(message, new ValidationContext(message, services, null), found, validateAllProperties: true);
        errors.AddRange(found.Select(error => Describe(error, prefix)));
    }

    private static string Describe(ValidationResult error, string prefix)
    {
        string names = string.Join(", ", error.MemberNames.Select(member => prefix + member));
        if (names.Length == 0) names = prefix.TrimEnd('.');
        return names.Length == 0 ? error.ErrorMessage ?? "invalid" : $"{names}: {error.ErrorMessage ?? "invalid"}";
    }
}
