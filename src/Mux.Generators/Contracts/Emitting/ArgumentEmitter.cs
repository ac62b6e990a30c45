using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>C# that finds the arguments of a request by name, for filters.</summary>
internal static class ArgumentEmitter
{
    /// <summary>Gets a delegate that describes the arguments: it runs only if a filter asks. Null for a method without arguments.</summary>
    public static string? LambdaOf(MethodModel method)
    {
        var request = method.Request.TypeName;
        if (method.Arguments is null) return method.Sent.FirstOrDefault() is { } only ? $"MethodArgument<{request}>.Whole(\"{only.PlainName}\")" : null;
        var arguments = method.Sent.Select(parameter =>
            ArgumentOf(request, parameter, parameter.TypeName, $"request.{parameter.Name}")).ToArray();
        return arguments.Length == 0 ? null : $"static () => new MethodArgument<{request}>[] {{ {string.Join(", ", arguments)} }}";
    }

    private static string ArgumentOf(string request, ParameterModel parameter, string type, string access) =>
        $"new MethodArgument<{request}, {type}>(\"{parameter.PlainName}\", static (ref {request} request) => ref {access})";
}
