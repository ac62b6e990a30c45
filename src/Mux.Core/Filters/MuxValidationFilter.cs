using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;

namespace Mux.Filters;

/// <summary>
/// Checks requests against the attributes of <c>System.ComponentModel.DataAnnotations</c> on their members, and <see cref="IValidatableObject"/>. A request
/// that is not valid fails with <see cref="MuxStatus.InvalidArgument"/> and a message that names the members; its handler does not run, and on a channel it
/// is not sent.
/// </summary>
/// <remarks>
/// Members of members are not checked, as everywhere with these attributes, nor are items of request streams, nor the values of methods with several
/// parameters. The messages are those of the attributes. Reads members by reflection: not for trimmed programs and Native AOT.
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
        if (call.Request is not { } request || Find(request, call.Services) is not { Count: > 0 } errors) return next.RunAsync(call);
        call.Fail(MuxStatus.InvalidArgument, $"The request is not valid: {string.Join("; ", errors.Take(MostErrors).Select(Describe))}");
        return default;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The constructor warns.")]
    private static List<ValidationResult> Find(object request, IServiceProvider? services)
    {
        var errors = new List<ValidationResult>();
        Validator.TryValidateObject(request, new ValidationContext(request, services, null), errors, validateAllProperties: true);
        return errors;
    }

    private static string Describe(ValidationResult error)
    {
        string names = string.Join(", ", error.MemberNames);
        return names.Length == 0 ? error.ErrorMessage ?? "invalid" : $"{names}: {error.ErrorMessage ?? "invalid"}";
    }
}
