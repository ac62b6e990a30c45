using Mux.Description.Proto.Descriptors;
using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Describing;

/// <summary>
/// Describes options of services, methods and fields: extension 51,000 of protobuf's own, as mux/options.proto of the package Mux.Description declares them.
/// </summary>
internal static class OptionsDescriber
{
    private const int Extension = 51000;
    private const int IdempotencyLevel = 34;
    private const int Idempotent = 2;

    /// <param name="wireName">Name on the wire; null if the name in protobuf is the same.</param>
    /// <param name="isCallback">True for the interface of a callback, which the client serves during a call.</param>
    public static WireWriter OfService(string? wireName, bool isCallback) =>
        new WireWriter().Options(Extension, new WireWriter().Text(1, wireName).Flag(2, isCallback).Flag(3, !isCallback));

    /// <summary>Adds what a field says of its C# member.</summary>
    public static WireWriter AddToField(WireWriter options, int bits, int keyBits, string? absent)
    {
        var own = new WireWriter();
        if (bits != 0) own.Number(1, bits);
        if (keyBits != 0) own.Number(2, keyBits);
        return options.Options(Extension, own.Text(3, absent));
    }

    /// <param name="method">The method.</param>
    /// <param name="wireName">Name on the wire; null if the name in protobuf is the same.</param>
    /// <param name="arguments">Message of the arguments that precede a request stream; null if there are none.</param>
    /// <param name="details">Names of the messages of failures; null for one of another format.</param>
    /// <param name="callbacks">Names of the services that the client serves during the call.</param>
    public static WireWriter OfMethod(
        MethodModel method, string? wireName, string? arguments, IEnumerable<(int Number, string? Message)> details, IEnumerable<string> callbacks)
    {
        var choices = method.Choices;
        var options = new WireWriter().Text(1, wireName).Flag(2, method.OneWay);
        AddNumber(options, 3, choices, "Timeout = ");
        AddNumber(options, 4, choices, "MaxMessageBytes = ");
        if (PriorityOf(choices) is var priority and > 0) options.Number(5, priority);
        options.Text(6, choices.Format == ChoicesModel.Protobuf ? null : choices.Format).Text(7, arguments);
        foreach (var (number, message) in details) options.Message(8, new WireWriter().Number(1, number).Text(2, message));
        if (choices.Authorization is { } authorization) options.Message(9, OfAuthorization(authorization));
        foreach (var callback in callbacks) options.Text(10, callback);
        options.Fixed(11, method.RequestFingerprint).Fixed(12, method.ResponseFingerprint);

        var all = new WireWriter();
        if (choices.Has("Idempotent = ")) all.Number(IdempotencyLevel, Idempotent);
        return all.Options(Extension, options);
    }

    private static WireWriter OfAuthorization(AuthorizationModel model)
    {
        var options = new WireWriter().Flag(1, model.AllowsAnonymous).Flag(2, model.RequiresUser);
        foreach (var policy in model.Policies) options.Text(3, policy);
        foreach (var role in model.Roles) options.Text(4, role);
        return options;
    }

    // Choices are C# assignments; the only number in one is its value.
    private static void AddNumber(WireWriter options, int field, ChoicesModel choices, string start)
    {
        var assignment = choices.Assignments.FirstOrDefault(text => text.StartsWith(start, StringComparison.Ordinal));
        if (assignment is null) return;
        options.Number(field, int.Parse(new string([.. assignment.Where(char.IsDigit)]), System.Globalization.CultureInfo.InvariantCulture));
    }

    private static int PriorityOf(ChoicesModel choices) => choices.Has("Priority = global::Mux.MuxCallPriority.High") ? 1
        : choices.Has("Priority = global::Mux.MuxCallPriority.Low") ? 2 : 0;
}
